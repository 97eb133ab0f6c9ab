import { expect, test } from 'vitest';
import { startTestSimulator, type TestSimulator } from '../../../../test/servers/simulator.ts';
import type { JsonObject } from '../../types.ts';

const texts = (...values: string[]) => values.map((text) => ({ type: 'text', text }));
const body = (...values: string[]) => ({ type: 'body', parameters: texts(...values) });
const urlButton = (text: string, index: number | string = '0') => ({
  type: 'button',
  sub_type: 'url',
  index,
  parameters: texts(text),
});
const image = (link: string) => ({
  type: 'header',
  parameters: [{ type: 'image', image: { link } }],
});
const named = (type: string, values: Record<string, string>) => ({
  type,
  parameters: Object.entries(values).map(([parameter_name, text]) => ({
    type: 'text',
    parameter_name,
    text,
  })),
});
const template = (name: string, code: string, ...components: JsonObject[]) => ({
  type: 'template',
  text: undefined,
  template: { name, language: { code }, ...(components.length > 0 && { components }) },
});
const picture = image('https://files.example.com/spring.jpg');
const offer = body('Amina', 'SPRING15');

test.each([
  ['without parameters', template('hello_world', 'en_US')],
  ['with a body', template('order_update', 'en', body('Amina', '#7', 'Friday'))],
  ['in another language', template('order_update', 'ur', body('آمنہ', '#7', 'جمعہ'))],
  ['with media and a URL button', template('spring_offer', 'en', picture, offer, urlButton('a'))],
  [
    'with a button index that is a number',
    template('spring_offer', 'en', picture, offer, urlButton('a', 0)),
  ],
  ['of authentication', template('login_code', 'en_US', body('123456'), urlButton('123456'))],
  [
    'with named parameters, in any order',
    template(
      'appointment_reminder',
      'en',
      named('HEADER', { day: 'Friday' }),
      named('BODY', { time: '10:00', customer_name: 'Amina', day: 'Friday' }),
    ),
  ],
])('a template %s is accepted', async (_name, message) => {
  const network = await startTestSimulator();
  const response = await network.send(message);
  expect(response.body.messages[0].message_status).toBe('accepted');
});

test.each([
  [
    'an unknown name',
    template('nothing', 'en_US'),
    132001,
    'template name (nothing) does not exist in en_US',
    404,
  ],
  [
    'an unknown language',
    template('hello_world', 'de'),
    132001,
    'template name (hello_world) does not exist in de',
    404,
  ],
  [
    'a pending one',
    template('winter_sale', 'en', body('a', 'b')),
    132001,
    'template name (winter_sale)',
    404,
  ],
  ['a rejected one', template('free_money', 'en'), 132001, 'template name (free_money)', 404],
  [
    'too many values',
    template('order_update', 'en', body('a', 'b', 'c', 'd')),
    132000,
    'body: number of localizable_params (4) does not match the expected number of params (3)',
  ],
  [
    'no values',
    template('order_update', 'en'),
    132000,
    'body: number of localizable_params (0) does not match the expected number of params (3)',
  ],
  [
    'an empty value',
    template('order_update', 'en', body('a', '', 'c')),
    131008,
    'Parameter of type text is missing text value',
  ],
  [
    'a newline in a value',
    template('order_update', 'en', body('a', 'b\nc', 'd')),
    132018,
    'Param text cannot have new-line/tab characters',
  ],
  [
    'an authentication code without its button',
    template('login_code', 'en_US', body('123456')),
    131008,
    'buttons: Button at index 0 of type Url requires a parameter',
  ],
  [
    'a code of 16 characters',
    template('login_code', 'en_US', body('1'.repeat(16)), urlButton('1'.repeat(16))),
    131009,
    'longer than 15 characters',
  ],
  [
    'a code that is a URL',
    template('login_code', 'en_US', body('http://a.b'), urlButton('http://a.b')),
    132007,
    'no URL, media or emoji',
  ],
  [
    'no header image',
    template('spring_offer', 'en', offer, urlButton('a')),
    132012,
    'header: Format mismatch, expected IMAGE, received UNKNOWN',
  ],
  [
    'a text instead of the image',
    template(
      'spring_offer',
      'en',
      { type: 'header', parameters: texts('x') },
      offer,
      urlButton('a'),
    ),
    132012,
    'header: Format mismatch, expected IMAGE, received TEXT',
  ],
  [
    'a header for a template without one',
    template('order_update', 'en', { type: 'header', parameters: texts('x') }, body('a', 'b', 'c')),
    132000,
    'header: number of localizable_params (1)',
  ],
  [
    'no value for the URL button',
    template('spring_offer', 'en', picture, offer),
    131008,
    'buttons: Button at index 0 of type Url requires a parameter',
  ],
  [
    'a value for a missing button',
    template('order_update', 'en', body('a', 'b', 'c'), urlButton('x')),
    132012,
    'no button at index 0',
  ],
  [
    'a quick reply addressed as a URL',
    template('spring_offer', 'en', picture, offer, urlButton('a'), urlButton('b', 1)),
    132012,
    'expected QUICK_REPLY, received URL',
  ],
  [
    'named parameters without names',
    template('appointment_reminder', 'en', named('header', { day: 'Friday' }), body('a', 'b', 'c')),
    100,
    'Parameter name is missing or empty',
  ],
  [
    'a misspelt parameter name',
    template(
      'appointment_reminder',
      'en',
      named('header', { day: 'Friday' }),
      named('body', { customer: 'Amina', day: 'Friday', time: '10:00' }),
    ),
    132012,
    'parameter name (customer_name) is missing',
  ],
  [
    'a text that becomes too long with its values',
    template('order_update', 'en', body('x'.repeat(1000), 'b', 'c')),
    132005,
    'too long',
  ],
])('%s is rejected', async (_name, message, code, details, http = 400) => {
  const network = await startTestSimulator();
  const response = await network.send(message);
  expect(response.status).toBe(http);
  expect(response.body.error.code).toBe(code);
  expect(response.body.error.error_data.details).toContain(details);
  expect(await network.messages()).toEqual([]);
});

test.each([
  ['PAUSED', 132015],
  ['DISABLED', 132016],
])('a template that is %s is rejected with its own code', async (status, code) => {
  const network = await startTestSimulator();
  const { business_account_id } = network.number;
  const change = { business_account_id, name: 'hello_world', status };
  await network.call('PATCH', '/simulator/templates', change);
  expect((await network.send(template('hello_world', 'en_US'))).body.error.code).toBe(code);
});

test('a button that opens a flow must be named, although it needs no value', async () => {
  const network = await startTestSimulator();
  await network.call('POST', '/simulator/templates', {
    business_account_id: network.number.business_account_id,
    name: 'book',
    language: 'en',
    components: [
      { type: 'BODY', text: 'Book now' },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Later' },
          { type: 'FLOW', text: 'Book' },
        ],
      },
    ],
  });
  const unnamed = await network.send(template('book', 'en'));
  expect(unnamed.body.error).toMatchObject({ code: 131009 });
  const flow = { type: 'button', sub_type: 'flow', index: '1' };
  expect((await network.send(template('book', 'en', flow))).status).toBe(200);
});

test('the network writes the text of a button that the template leaves to it', async () => {
  const network = await startTestSimulator();
  await network.call('POST', '/simulator/templates', {
    business_account_id: network.number.business_account_id,
    name: 'ask_for_phone',
    language: 'en',
    components: [
      { type: 'BODY', text: 'May we call you?' },
      { type: 'BUTTONS', buttons: [{ type: 'REQUEST_CONTACT_INFO' }, { type: 'VOICE_CALL' }] },
    ],
  });
  await network.send(template('ask_for_phone', 'en'));
  const [message] = await network.messages();
  expect(message?.rendered?.buttons).toEqual([
    { type: 'REQUEST_CONTACT_INFO', text: 'Share Contact Info' },
    { type: 'VOICE_CALL', text: 'Call on WhatsApp' },
  ]);
});

const add = (network: TestSimulator, name: string, components: object[]) =>
  network.call('POST', '/simulator/templates', {
    business_account_id: network.number.business_account_id,
    name,
    language: 'en',
    category: 'MARKETING',
    components,
  });

test('a carousel is sent with exactly its cards, and each has its own values', async () => {
  const network = await startTestSimulator();
  const card = {
    components: [
      { type: 'header', format: 'image' },
      { type: 'body', text: 'Only {{1}} left.' },
      {
        type: 'buttons',
        buttons: [
          { type: 'quick_reply', text: 'Keep one' },
          { type: 'url', text: 'Buy', url: 'https://x.test/{{1}}' },
        ],
      },
    ],
  };
  await add(network, 'mugs', [
    { type: 'BODY', text: 'Dear {{1}}, our mugs:' },
    { type: 'carousel', cards: [card, card] },
  ]);
  const keep = {
    type: 'button',
    sub_type: 'quick_reply',
    index: 0,
    parameters: [{ type: 'payload', payload: 'keep-red' }],
  };
  const sent = (index: number, ...more: JsonObject[]) => ({
    card_index: index,
    components: [picture, body('two'), urlButton('red', 1), ...more],
  });
  const send = (...cards: JsonObject[]) =>
    network.send(template('mugs', 'en', body('Amina'), { type: 'carousel', cards }));
  const codeOf = async (...cards: JsonObject[]) => (await send(...cards)).body.error?.code;

  expect((await network.send(template('mugs', 'en', body('Amina')))).body.error.code).toBe(132012);
  expect(await codeOf(sent(0))).toBe(132012);
  expect(await codeOf(sent(0), sent(2))).toBe(132012);
  expect(await codeOf(sent(0), { card_index: 1, components: [body('two')] })).toBe(132012);
  expect(await codeOf(sent(0), { card_index: 1, components: [picture] })).toBe(132000);
  expect(await network.messages()).toEqual([]);
  expect((await send(sent(1), sent(0, keep))).status).toBe(200);
  const [message] = await network.messages();
  const link = 'https://files.example.com/spring.jpg';
  const url = { type: 'URL', text: 'Buy', url: 'https://x.test/red' };
  const shown = (payload: string) => ({
    header: { format: 'IMAGE', link },
    body: 'Only two left.',
    buttons: [{ type: 'QUICK_REPLY', text: 'Keep one', payload }, url],
  });
  expect(message?.rendered).toEqual({
    name: 'mugs',
    language: 'en',
    body: 'Dear Amina, our mugs:',
    buttons: [],
    cards: [shown('keep-red'), shown('Keep one')],
  });
});

test('an offer that ends is sent with its end', async () => {
  const network = await startTestSimulator();
  const offered = { type: 'limited_time_offer', limited_time_offer: { text: 'Ends soon' } };
  const ending = structuredClone(offered);
  Object.assign(ending.limited_time_offer, { has_expiration: true });
  const text = { type: 'BODY', text: 'All mugs' };
  await add(network, 'endless', [text, offered]);
  await add(network, 'ending', [text, ending]);
  const end = { expiration_time_ms: 1_793_600_000_000 };
  const parameter = { type: 'limited_time_offer', limited_time_offer: end };
  const component = { type: 'limited_time_offer', parameters: [parameter] };
  expect((await network.send(template('ending', 'en'))).body.error.code).toBe(131008);
  expect((await network.send(template('ending', 'en', component))).status).toBe(200);
  expect((await network.send(template('endless', 'en'))).status).toBe(200);
  expect((await network.messages()).map(({ rendered }) => rendered?.offer)).toEqual([
    { text: 'Ends soon', ends_at: 1_793_600_000_000 },
    { text: 'Ends soon' },
  ]);
});

test('the preview of a link can be named', async () => {
  const network = await startTestSimulator();
  const type = 'tap_target_configuration';
  const target = { url: 'https://x.test/', title: 'Shop' };
  const component = { type, parameters: [{ type, [type]: [target] }] };
  expect((await network.send(template('hello_world', 'en_US', component))).status).toBe(200);
});

test('the rendered template has every value in its place', async () => {
  const network = await startTestSimulator();
  await network.send(template('spring_offer', 'en', picture, offer, urlButton('amina')));
  const [message] = await network.messages();
  expect(message?.rendered).toEqual({
    name: 'spring_offer',
    language: 'en',
    header: { format: 'IMAGE', link: 'https://files.example.com/spring.jpg' },
    body: 'Hi Amina, the spring collection is here. Use *SPRING15* for 15 % off until Sunday.',
    footer: 'Not interested? Tap Stop offers',
    buttons: [
      { type: 'URL', text: 'See the collection', url: 'https://shop.example.com/spring/amina' },
      { type: 'QUICK_REPLY', text: 'Stop offers', payload: 'Stop offers' },
    ],
  });
});
