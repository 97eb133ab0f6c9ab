import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { anyText, textsIn } from '../../../test/checks/any-text.ts';
import { call, testApp } from '../../../test/program/app.ts';
import { control } from '../../../test/servers/control.ts';
import { readCallback } from './read-callback.ts';

const app = testApp();

const oddText = fc.oneof(
  anyText(20),
  fc.constantFrom(
    '',
    '\0',
    '\ud800',
    'a\0b',
    '__proto__',
    'constructor',
    '-0',
    '1e999',
    'x'.repeat(9_000),
  ),
  fc.constantFrom(
    'wamid.1',
    '16505551234',
    '1790000000',
    '131047',
    'sent',
    'failed',
    'text',
    'image',
  ),
);
const oddValue = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 3, withCrossShrink: true },
    oddText,
    fc.constantFrom(null, true, 0, -1, 2 ** 53, 1e308, 0.5),
    fc.array(tie('value'), { maxLength: 3 }),
    fc.dictionary(oddText, tie('value'), { maxKeys: 3 }),
  ),
})).value;

/** Generates an object with these fields. Each may be missing or of a wrong type. */
function almost(fields: Record<string, fc.Arbitrary<unknown>>): fc.Arbitrary<unknown> {
  const some = Object.fromEntries(
    Object.entries(fields).map(([name, valid]) => [
      name,
      fc.oneof(
        { weight: 10, arbitrary: valid },
        { weight: 1, arbitrary: oddValue },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
    ]),
  );
  return fc.record(some);
}

const networkId = fc.constantFrom('wamid.a', 'wamid.b', 'wamid.\u0000', '');
const listOf = (item: fc.Arbitrary<unknown>) => fc.array(item, { maxLength: 3 });
const error = almost({ code: oddValue, title: oddText, error_data: almost({ details: oddText }) });
const status = almost({
  id: networkId,
  status: fc.constantFrom('sent', 'delivered', 'read', 'played', 'failed'),
  timestamp: oddText,
  biz_opaque_callback_data: oddText,
  errors: listOf(error),
});
const message = almost({
  id: networkId,
  from: fc.constantFrom('16505551234', '+1', '\0', 'a b'),
  type: fc.constantFrom('text', 'image', 'button', 'interactive', 'reaction', 'order', 'new_type'),
  timestamp: oddText,
  text: almost({ body: oddText }),
  image: almost({ id: oddText, mime_type: oddText, caption: oddText }),
  button: almost({ text: oddText, payload: oddText }),
  interactive: almost({ button_reply: almost({ title: oddText, id: oddText }) }),
  context: almost({ id: oddText }),
  referral: oddValue,
  errors: listOf(error),
});

const callbackOf = (phoneNumberId: string) =>
  almost({
    object: fc.constant('whatsapp_business_account'),
    entry: listOf(
      almost({
        id: oddText,
        changes: listOf(
          almost({
            field: fc.constantFrom('messages', 'message_template_status_update', 'template_x'),
            value: almost({
              metadata: fc.constant({ phone_number_id: phoneNumberId }),
              statuses: listOf(status),
              messages: listOf(message),
              contacts: listOf(almost({ wa_id: oddText, profile: almost({ name: oddText }) })),
              errors: listOf(error),
              message_template_name: oddText,
              message_template_language: oddText,
              event: fc.constantFrom('APPROVED', 'FLAGGED', '\0'),
            }),
          }),
        ),
      }),
    ),
  });

test('a callback of any shape can be read, and PostgreSQL can store the result', () => {
  fc.assert(
    fc.property(callbackOf('123'), (body) => {
      const { numbers, templates } = readCallback(JSON.parse(JSON.stringify(body)));
      const stored = numbers.map(({ messages, problem }) => [messages, problem]);
      for (const text of textsIn([stored, templates])) {
        expect(text).not.toContain('\0');
        expect(text.isWellFormed()).toBe(true);
      }
    }),
    { numRuns: 500 },
  );
});

test('a signed callback of any shape never gets a 500', async () => {
  const shop = await app.tenant();
  const { phone_number_id: id, callback_id: callbackId } = shop.number;
  const { numbers } = await control(app, 'GET', '/simulator/numbers');
  const { app_secret: secret } = numbers.find(
    (each: { phone_number_id: string }) => each.phone_number_id === id,
  );
  const post = (body: string) =>
    call(app, 'POST', `/whatsapp/callbacks/${callbackId}`, body, {
      'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
    });
  const text = fc.oneof(
    { weight: 9, arbitrary: callbackOf(id).map((body) => JSON.stringify(body)) },
    { weight: 1, arbitrary: fc.oneof(fc.json(), fc.string()) },
  );
  await fc.assert(
    fc.asyncProperty(text, async (body) => {
      const isJson = (() => {
        try {
          JSON.parse(body);
          return true;
        } catch {
          return false;
        }
      })();
      const { status, body: response } = await post(body);
      expect({ status, response }).toMatchObject({ status: isJson ? 200 : 400 });
    }),
    { numRuns: 100 },
  );
});
