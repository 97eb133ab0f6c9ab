import { createClient } from '@parley/client';

const { PARLEY_URL: url = '', PARLEY_TENANT: tenant = '', PARLEY_TOKEN: token = '' } = process.env;
const parley = createClient({ url, tenant, token });
const template = { template_name: 'login_code', template_language: 'en_US' };
const { data, error } = await parley.POST('/messages/template', {
  body: { phone_number: '+14155550123', ...template, auto_generate_otp: true },
});
if (error) throw new Error(error.message);
console.log(`Ask for ${data.data.otp}; it was sent as ${data.data.message_id}.`);
