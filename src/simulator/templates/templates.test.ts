import { expect, test } from 'vitest';
import { eventuallyHolds } from '../../../test/checks/eventually.ts';
import { startTestSimulator } from '../../../test/servers/simulator.ts';

test('the last page of the list has no next, but still a cursor after', async () => {
  const network = await startTestSimulator();
  const { business_account_id: account, access_token: token } = network.number;
  const names: string[] = [];
  let pages = 0;
  let after = '';
  for (;;) {
    const path = `/v25.0/${account}/message_templates?limit=4${after && `&after=${after}`}`;
    const { body } = await network.call('GET', path, undefined, token);
    names.push(...body.data.map((one: { name: string }) => one.name));
    pages++;
    expect(body.paging.cursors.after).toEqual(expect.any(String));
    if (!body.paging.next) break;
    expect(body.paging.next).toContain(`after=${body.paging.cursors.after}`);
    after = body.paging.cursors.after;
  }
  const { body } = await network.call('GET', '/simulator/templates');
  expect(pages).toBe(3);
  expect(names).toEqual(body.templates.map((one: { name: string }) => one.name));
});

test('the list is filtered by fields, name and status', async () => {
  const network = await startTestSimulator();
  const { business_account_id: account, access_token: token } = network.number;
  const list = async (query: string) =>
    (await network.call('GET', `/${account}/message_templates?${query}`, undefined, token)).body
      .data;
  expect(await list('name=hello_world&fields=name,status')).toEqual([
    { name: 'hello_world', status: 'APPROVED', id: expect.stringMatching(/^\d{15}$/) },
  ]);
  for (const query of ['status=REJECTED', 'status=APPROVED&status=REJECTED']) {
    expect((await list(query)).map((one: { name: string }) => one.name)).toEqual(['free_money']);
  }
  expect(await list('name=order_update')).toHaveLength(2);
  const statuses = encodeURIComponent('["REJECTED","PENDING"]');
  expect(await list(`status=${statuses}&fields=name`)).toMatchObject([
    { name: 'winter_sale' },
    { name: 'free_money' },
  ]);
  expect(await list('language=["ur"]&category=["UTILITY"]')).toHaveLength(1);
  expect(await list('name_or_content=WAREHOUSE')).toMatchObject([{ name: 'order_update' }]);
  // Known fields that no template here has.
  expect(await list('name=hello_world&fields=sub_category,quality_score{score,date}')).toEqual([
    { id: expect.any(String) },
  ]);
  const reasonOf = async (name: string) =>
    (await list(`name=${name}&fields=rejected_reason`))[0].rejected_reason;
  expect(await reasonOf('hello_world')).toBe('NONE');
  expect(await reasonOf('free_money')).toBe('SCAM');
  expect((await list('name=free_money'))[0]).not.toHaveProperty('rejected_reason');
  for (const query of ['fields=name,shoe_size', 'status=[', 'status=[1]']) {
    const path = `/${account}/message_templates?${query}`;
    expect((await network.call('GET', path, undefined, token)).body.error.code).toBe(100);
  }
});

test("another account's templates cannot be listed with this token", async () => {
  const network = await startTestSimulator();
  const other = (await network.call('POST', '/simulator/numbers', {})).body;
  const path = `/v25.0/${other.business_account_id}/message_templates`;
  const { status, body } = await network.call('GET', path, undefined, network.number.access_token);
  expect(status).toBe(400);
  expect(body.error).toMatchObject({ code: 100, error_subcode: 33 });
});

test("a template's new status is reported once, however many numbers the account has", async () => {
  const network = await startTestSimulator();
  const { business_account_id, callback_url } = network.number;
  await network.call('POST', '/simulator/numbers', { business_account_id, callback_url });
  const setStatus = (status: string) =>
    network.call('PATCH', '/simulator/templates', {
      business_account_id,
      name: 'winter_sale',
      status,
    });
  await setStatus('APPROVED');
  const [post] = await eventuallyHolds(() => {
    expect(network.receiver.posts).not.toEqual([]);
    return network.receiver.posts.map(({ raw }) => JSON.parse(String(raw)));
  });
  await setStatus('PAUSED');
  await eventuallyHolds(() => {
    const texts = network.receiver.posts.map(({ raw }) => String(raw));
    expect(texts.join()).toContain('PAUSED');
    expect(texts).toHaveLength(2);
  });
  expect(post.entry[0]).toMatchObject({
    id: business_account_id,
    changes: [
      {
        field: 'message_template_status_update',
        value: {
          event: 'APPROVED',
          message_template_id: expect.any(Number),
          message_template_name: 'winter_sale',
        },
      },
    ],
  });
});

test('what happens to an account is reported with its id and no number, to the address of the app', async () => {
  const network = await startTestSimulator();
  const { business_account_id, phone_number_id } = network.number;
  const account_alerts = { entity_type: 'BUSINESS', alert_info: { alert_type: 'X' } };
  await network.call('POST', '/simulator/changes', {
    phone_number_id,
    field: 'account_alerts',
    value: account_alerts,
  });
  await network.call('POST', '/simulator/numbers', {
    phone_number_id,
    health_status: { can_send_message: 'BLOCKED', entities: [] },
  });
  const bodies = await eventuallyHolds(() => {
    expect(network.receiver.posts).toHaveLength(2);
    return network.receiver.posts.map(({ raw }) => JSON.parse(String(raw)).entry[0]);
  });
  const { id, time, changes } = bodies[0];
  expect({ id, time }).toEqual({ id: business_account_id, time: expect.any(Number) });
  expect(changes).toEqual([{ field: 'account_alerts', value: account_alerts }]);
  expect(bodies[1].changes).toEqual([
    {
      field: 'account_update',
      value: { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state: 'DISABLE' } },
    },
  ]);
  expect((await network.send()).body.error.code).toBe(131031);
  await network.call('POST', '/simulator/numbers', { phone_number_id, health_status: null });
  expect((await network.send()).status).toBe(200);
});

test('lookupStatus makes the list and the number fail, but not sends', async () => {
  const network = await startTestSimulator();
  const { business_account_id, phone_number_id, access_token: token } = network.number;
  await network.behave({ lookupStatus: 503 });
  for (const path of [`/${business_account_id}/message_templates`, `/${phone_number_id}`]) {
    const { status, body } = await network.call('GET', path, undefined, token);
    expect(status).toBe(503);
    expect(body.error.code).toBe(131016);
  }
  expect((await network.send()).status).toBe(200);
});

test('a template created through the Graph API is pending, and is found by its id', async () => {
  const network = await startTestSimulator();
  const { business_account_id, access_token: token } = network.number;
  const path = `/v25.0/${business_account_id}/message_templates`;
  const components = [{ type: 'BODY', text: 'Hi' }];
  const wanted = { name: 'hi', language: 'en', category: 'UTILITY', components };
  const { body } = await network.call('POST', path, wanted, token);
  expect(body).toMatchObject({ status: 'PENDING', category: 'UTILITY' });
  const found = await network.call('GET', `/v25.0/${body.id}?fields=name`, undefined, token);
  expect(found.body).toEqual({ name: 'hi', id: body.id });
  const unnamed = await network.call('POST', path, { ...wanted, name: undefined }, token);
  expect(unnamed.body.error.message).toContain('The parameter name is required.');
  const shapeless = await network.call('POST', path, { ...wanted, components: [null] }, token);
  expect(shapeless).toMatchObject({ status: 400, body: { error: { code: 100 } } });
});

test('a template is created, replaced and removed', async () => {
  const network = await startTestSimulator();
  const { business_account_id, access_token: token } = network.number;
  const template = {
    business_account_id,
    name: 'thanks',
    language: 'en',
    components: [{ type: 'BODY', text: 'Thank you, {{1}}.' }],
  };
  const made = (await network.call('POST', '/simulator/templates', template)).body;
  expect(made).toMatchObject({ status: 'APPROVED', category: 'UTILITY' });
  const again = (
    await network.call('POST', '/simulator/templates', { ...template, status: 'PAUSED' })
  ).body;
  expect(again).toMatchObject({ id: made.id, status: 'PAUSED' });

  const path = `/v25.0/${business_account_id}/message_templates`;
  const removed = await network.call('DELETE', `${path}?name=thanks`, undefined, token);
  expect(removed.body).toEqual({ success: true });
  const left = await network.call('GET', `${path}?name=thanks`, undefined, token);
  expect(left.body.data).toEqual([]);
});

test('a template that is added is reported, and so are its new text and category', async () => {
  const network = await startTestSimulator();
  const { business_account_id } = network.number;
  const put = (fields: object) =>
    network.call('POST', '/simulator/templates', {
      business_account_id,
      name: 'mine',
      language: 'en',
      components: [{ type: 'BODY', text: 'Mine {{1}}.' }],
      ...fields,
    });
  const reported = async (count: number) =>
    (
      await eventuallyHolds(() => {
        expect(network.receiver.posts).toHaveLength(count);
        return network.receiver.posts;
      })
    ).flatMap(({ raw }) => JSON.parse(String(raw)).entry[0].changes);
  await put({});
  await reported(1);
  await put({ status: 'PAUSED' });
  await put({ status: 'PAUSED', category: 'MARKETING' });
  await reported(2);
  const components = [
    { type: 'BODY', text: 'Yours {{1}}.' },
    { type: 'FOOTER', text: 'Bye' },
  ];
  await put({ category: 'MARKETING', components });
  const name = { message_template_name: 'mine', message_template_language: 'en' };
  expect(await reported(3)).toMatchObject([
    { field: 'message_template_status_update', value: { ...name, event: 'APPROVED' } },
    {
      field: 'template_category_update',
      value: { ...name, previous_category: 'UTILITY', new_category: 'MARKETING' },
    },
    {
      field: 'message_template_components_update',
      value: {
        ...name,
        message_template_element: 'Yours {{1}}.',
        message_template_footer: 'Bye',
      },
    },
  ]);
});

const body = { type: 'BODY', text: 'Hi' };
const buttons = (count: number, fields: object) => ({
  type: 'BUTTONS',
  buttons: Array.from({ length: count }, () => ({ type: 'QUICK_REPLY', text: 'Yes', ...fields })),
});
const picture = { type: 'HEADER', format: 'IMAGE' };
const card = { components: [picture, body, buttons(2, {})] };
const bare = { components: [body, buttons(2, {})] };
const crowded = { components: [picture, buttons(3, {})] };
const offer = { type: 'limited_time_offer', limited_time_offer: { text: 'Ends soon' } };
const seventeen = { text: 'x'.repeat(17) };
test.each<[string, object[]]>([
  ['without a body', [{ type: 'HEADER', format: 'TEXT', text: 'Hi' }]],
  ['with two bodies', [body, body]],
  ['with a body of 1,025 characters', [{ type: 'BODY', text: 'x'.repeat(1_025) }]],
  ['with a footer of 61 characters', [body, { type: 'FOOTER', text: 'x'.repeat(61) }]],
  ['with a variable in the footer', [body, { type: 'FOOTER', text: 'Bye {{1}} now' }]],
  ['with two variables in the header', [body, { type: 'HEADER', text: 'A {{1}} B {{2}} C' }]],
  ['with eleven buttons', [body, buttons(11, {})]],
  ['with three URL buttons', [body, buttons(3, { type: 'URL', url: 'https://x.test' })]],
  ['with a button of 26 characters', [body, buttons(1, { text: 'x'.repeat(26) })]],
  ['with one card', [body, { type: 'CAROUSEL', cards: [card] }]],
  ['with eleven cards', [body, { type: 'CAROUSEL', cards: Array(11).fill(card) }]],
  ['with different cards', [body, { type: 'CAROUSEL', cards: [card, { components: [picture] }] }]],
  ['with a card without a picture', [body, { type: 'CAROUSEL', cards: Array(2).fill(bare) }]],
  ['with three buttons on a card', [body, { type: 'CAROUSEL', cards: Array(2).fill(crowded) }]],
  ['with a card that is null', [body, { type: 'CAROUSEL', cards: [card, null] }]],
  ['with an offer and a footer', [body, offer, { type: 'FOOTER', text: 'Bye' }]],
  ['with an offer and a body of 601 characters', [{ type: 'BODY', text: 'x'.repeat(601) }, offer]],
  ['with an offer of 17 characters', [body, { ...offer, limited_time_offer: seventeen }]],
])('a template %s is refused', async (_name, components) => {
  const network = await startTestSimulator();
  const { business_account_id, access_token } = network.number;
  const template = { name: 'junk', language: 'en', category: 'UTILITY', components };
  const controlled = await network.call('POST', '/simulator/templates', {
    business_account_id,
    ...template,
  });
  expect(controlled).toMatchObject({ status: 400, body: { error: expect.any(String) } });
  const path = `/${business_account_id}/message_templates`;
  const created = await network.call('POST', path, template, access_token);
  expect(created).toMatchObject({ status: 400, body: { error: { code: 100 } } });
});

test.each<[string, object[]]>([
  ['that begins with a variable', [{ type: 'BODY', text: '{{1}} is ready.' }]],
  ['that ends with a variable', [{ type: 'BODY', text: 'Ready: {{1}}' }]],
  ['with two variables side by side', [{ type: 'BODY', text: 'Hi {{1}} {{2}}, bye.' }]],
  ['with a gap in its variables', [{ type: 'BODY', text: 'Hi {{1}} and {{3}}.' }]],
  ['with variables in another order', [{ type: 'BODY', text: 'Hi {{2}} and {{1}}.' }]],
  ['with an unknown button', [body, buttons(1, { type: 'NOPE' })]],
])(
  'a template %s is refused by the Graph API, but the control API adds it',
  async (_name, components) => {
    const network = await startTestSimulator();
    const { business_account_id, access_token } = network.number;
    const template = { name: 'bold', language: 'en', category: 'UTILITY', components };
    const path = `/${business_account_id}/message_templates`;
    const created = await network.call('POST', path, template, access_token);
    expect(created).toMatchObject({ status: 400, body: { error: { code: 100 } } });
    const added = { business_account_id, ...template };
    expect((await network.call('POST', '/simulator/templates', added)).status).toBe(200);
  },
);

test('a template with named variables is created', async () => {
  const network = await startTestSimulator();
  const { business_account_id, access_token } = network.number;
  const components = [{ type: 'BODY', text: 'Hi {{name}}, you are {{place}} in line.' }];
  const template = { name: 'line', language: 'en', category: 'UTILITY', components };
  const path = `/${business_account_id}/message_templates`;
  const created = { ...template, parameter_format: 'NAMED' };
  expect((await network.call('POST', path, created, access_token)).status).toBe(200);
});

test.each([{ name: 'Bad Name!' }, { category: 'FOO' }])(
  'a template with %o is refused',
  async (fields) => {
    const network = await startTestSimulator();
    const { business_account_id, access_token } = network.number;
    const path = `/${business_account_id}/message_templates`;
    const template = { name: 'fine', language: 'en', category: 'utility', components: [body] };
    expect((await network.call('POST', path, template, access_token)).status).toBe(200);
    const created = await network.call('POST', path, { ...template, ...fields }, access_token);
    expect(created).toMatchObject({ status: 400, body: { error: { code: 100 } } });
  },
);
