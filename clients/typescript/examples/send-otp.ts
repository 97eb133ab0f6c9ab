import { createClient } from '@parley/client';

const { PARLEY_URL: url = '', PARLEY_TENANT: tenant = '', PARLEY_TOKEN: token = '' } = process.env;
const parley = createClient({ url, tenant, token });
const template = { template_name: 'login_code', template_language: 'en_US' };
const { data, error } = await parley.POST('/messages/template', {
  body: { phone_number: '+14155550123', ...template, auto_generate_otp: true },
});
if (error) throw new Error(error.message);
const { otp, message_id } = data.data;
// The client retried, and the response with the code was lost. The message says what to do.
if (otp === undefined) throw new Error(data.message);
console.log(`Ask for ${otp}; it was sent as ${message_id}.`);
