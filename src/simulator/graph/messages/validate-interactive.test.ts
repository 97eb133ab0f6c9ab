import { expect, test } from 'vitest';
import { startTestSimulator } from '../../../../test/servers/simulator.ts';

const link = 'https://files.example.com/a.jpg';
const reply = (id: string, title = id) => ({ type: 'reply', reply: { id, title } });
const buttons = { buttons: [reply('yes')] };
const rows = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ id: `row-${at}`, title: 'Soup' }));
const list = (...sections: unknown[]) => ({ button: 'Show', sections });
const toSite = { name: 'cta_url', parameters: { display_text: 'Buy', url: 'https://x.test/' } };
const flow = (parameters: object = {}) => ({
  name: 'flow',
  parameters: { flow_message_version: '3', flow_id: '1', flow_cta: 'Book', ...parameters },
});
const card = (index: number, fields: object = {}) => ({
  card_index: index,
  type: 'cta_url',
  header: { type: 'image', image: { link } },
  body: { text: 'A mug' },
  action: toSite,
  ...fields,
});
const text = (length: number) => ({ text: 'x'.repeat(length) });
const address = { name: 'address_message', parameters: { country: 'IN' } };

test.each<[string, object]>([
  ['button', { header: { type: 'image', image: { link } }, footer: text(60), action: buttons }],
  ['list', { body: text(4_096), header: { type: 'text', ...text(60) }, action: list(rows10()) }],
  ['cta_url', { header: { type: 'document', document: { link } }, action: toSite }],
  ['location_request_message', { action: { name: 'send_location' } }],
  ['request_contact_info', { action: { name: 'request_contact_info' } }],
  ['carousel', { action: { cards: [card(0), card(1)] } }],
  ['flow', { header: { type: 'text', text: 'Table' }, action: flow() }],
  ['address_message', { action: address }],
  // These show products of a catalogue, which the simulator does not have.
  ['product', { action: { catalog_id: '1', product_retailer_id: 'mug' } }],
])('an interactive message of type %s is accepted', async (type, fields) => {
  const network = await startTestSimulator();
  const interactive = { type, body: { text: 'Well?' }, ...fields };
  const { status, body } = await network.send({
    type: 'interactive',
    text: undefined,
    interactive,
  });
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
});

function rows10() {
  return { title: 'Food', rows: rows(10) };
}

test.each<[string, string, object, string]>([
  ['of an unknown type', 'buttons', { action: buttons }, "interactive['type']"],
  ['with a body of 1,025 characters', 'button', { body: text(1_025), action: buttons }, '1024'],
  [
    'with a long header',
    'button',
    { header: { type: 'text', ...text(61) }, action: buttons },
    '60',
  ],
  [
    'with a header of another type',
    'list',
    { header: { type: 'image', image: { link } }, action: list(rows10()) },
    'header',
  ],
  [
    'with a header whose file is unknown',
    'button',
    { header: { type: 'image', image: { id: '1' } }, action: buttons },
    'Media ID 1',
  ],
  ['with a long footer', 'button', { footer: text(61), action: buttons }, 'footer'],
  [
    'with a footer that the type does not have',
    'location_request_message',
    { footer: text(1), action: { name: 'send_location' } },
    'footer',
  ],
  [
    'with two buttons of the same title',
    'button',
    { action: { buttons: [reply('a', 'Yes'), reply('b', 'Yes')] } },
    'Duplicated',
  ],
  [
    'with a list of 4,097 characters',
    'list',
    { body: text(4_097), action: list(rows10()) },
    '4096',
  ],
  ['with eleven rows', 'list', { action: list({ title: 'A', rows: rows(11) }) }, '10'],
  ['with two rows of one id', 'list', { action: list({ rows: [...rows(1), ...rows(1)] }) }, 'Dupl'],
  ['with a section without rows', 'list', { action: list(rows10(), { title: 'B' }) }, 'rows'],
  [
    'with a section without a title among others',
    'list',
    { action: list({ title: 'A', rows: rows(1) }, { rows: [{ id: 'b', title: 'B' }] }) },
    "['title']",
  ],
  [
    'with a long title of a section',
    'list',
    { action: list({ title: 'x'.repeat(25), rows: rows(1) }) },
    '24',
  ],
  [
    'with a long description',
    'list',
    { action: list({ rows: [{ id: 'a', title: 'A', description: 'x'.repeat(73) }] }) },
    '72',
  ],
  ['with another action', 'cta_url', { action: { ...toSite, name: 'open' } }, 'name'],
  ['without a form', 'flow', { action: flow({ flow_id: undefined }) }, 'flow_id'],
  ['without a label of the form', 'flow', { action: flow({ flow_cta: undefined }) }, 'flow_cta'],
  ['with one card', 'carousel', { action: { cards: [card(0)] } }, 'cards'],
  [
    'with different cards',
    'carousel',
    { action: { cards: [card(0), card(1, { header: { type: 'video', video: { link } } })] } },
    'header',
  ],
  [
    'with a long card',
    'carousel',
    { action: { cards: [card(0), card(1, { body: text(161) })] } },
    '160',
  ],
  ['with another order of cards', 'carousel', { action: { cards: [card(1), card(0)] } }, 'index'],
  ['without a country', 'address_message', { action: { name: 'address_message' } }, 'parameters'],
])('an interactive message %s is refused', async (_name, type, fields, part) => {
  const network = await startTestSimulator();
  const interactive = { type, body: { text: 'Well?' }, ...fields };
  const { status, body } = await network.send({
    type: 'interactive',
    text: undefined,
    interactive,
  });
  expect(status).toBe(400);
  expect([100, 131008, 131009]).toContain(body.error.code);
  expect(`${body.error.message} ${body.error.error_data?.details}`).toContain(part);
});
