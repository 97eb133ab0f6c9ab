import { setTimeout as sleep } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../../test/checks/eventually.ts';
import { holdOutcomes } from '../../../test/database/hold-outcomes.ts';
import { holdLocks, lockWaiters } from '../../../test/database/locks.ts';
import { signIn } from '../../../test/features/sign-in.ts';
import { call, testApp } from '../../../test/program/app.ts';
import { control, misbehave } from '../../../test/servers/control.ts';
import { onThePhone } from '../../../test/servers/phone.ts';
import { buildApp } from '../../app.ts';
import { impossiblePhone } from '../../platform/values/phones/phone.ts';

const app = testApp();
const text = { phone_number: '+14155550123', type: 'text', message: 'Hello' };

const notUtf8 = 'The body must be JSON in UTF-8, and not compressed.';
const noText = 'must have 1 to 4,096 characters, and not only spaces';
const notAPhone =
  'must be a phone number with country code: a leading +, then digits only, such as +14155550123';

describe('bad input to messages/send', () => {
  test.each<[string, unknown, string]>([
    ['is not JSON', '{"phone_number":', 'The body is not valid JSON.'],
    ['is empty', '', 'The body is empty; it must be a JSON object.'],
    ['is an array', '[]', 'The body must be a JSON object, not an array.'],
    ['is a string', '"hello"', 'The body must be a JSON object, not a string.'],
    ['is null', 'null', 'The body is missing or null; it must be a JSON object.'],
    [
      'has 2 MiB',
      JSON.stringify({ ...text, message: 'x'.repeat(2 * 1024 * 1024) }),
      'The body is too long. The maximum is 1 MB.',
    ],
    [
      'has the key __proto__',
      '{"contact":[{"__proto__":{"a":1}}]}',
      'The body has the key __proto__, which is refused. Remove it.',
    ],
    [
      'has the key prototype in constructor',
      '{"\\u0063onstructor":{"prototype":{}}}',
      'The body has the key constructor.prototype, which is refused. Remove it.',
    ],
    [
      'is in Latin-1',
      Buffer.from(JSON.stringify({ ...text, message: 'Grüße' }), 'latin1'),
      notUtf8,
    ],
    ['is compressed', gzipSync(JSON.stringify(text)), notUtf8],
  ])('400 when the body %s', async (_, body, message) => {
    const shop = await app.tenant();
    const response = await shop.call('POST', '/messages/send', body);
    expect({ status: response.status, body: response.body }).toEqual({
      status: 400,
      body: { success: false, message, errors: {}, code: 'bad_request' },
    });
  });

  test('400 when the content type is not JSON', async () => {
    const shop = await app.tenant();
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/xml']) {
      const response = await shop.call('POST', '/messages/send', JSON.stringify(text), {
        'content-type': type,
      });
      expect(response.status).toBe(400);
      expect(response.body.message).toMatch(/Content-Type: application\/json/);
    }
  });

  test.each<[string, object, Record<string, string[]>]>([
    [
      'everything is missing',
      {},
      {
        phone_number: ['is required'],
        type: ['is required'],
        message: ['is required'],
      },
    ],
    [
      'types are wrong',
      { phone_number: 14155550123, type: 7, message: ['a'] },
      {
        phone_number: ['must be a string'],
        type: ['must be a string', 'must be "text"'],
        message: ['must be a string'],
      },
    ],
    [
      'the phone has spaces',
      { ...text, phone_number: '+1 415 555 0123' },
      { phone_number: [notAPhone] },
    ],
    ['the phone has no +', { ...text, phone_number: '14155550123' }, { phone_number: [notAPhone] }],
    ['the phone is letters', { ...text, phone_number: '+shop' }, { phone_number: [notAPhone] }],
    [
      'the phone is too long',
      { ...text, phone_number: '+1415555012345678' },
      { phone_number: [notAPhone] },
    ],
    [
      'the phone cannot exist, and another field is wrong too',
      { ...text, phone_number: '+1415555', message: '' },
      { phone_number: [impossiblePhone.text], message: [noText] },
    ],
    ['the type is another', { ...text, type: 'image' }, { type: ['must be "text"'] }],
    ['the text is empty', { ...text, message: '' }, { message: [noText] }],
    ['the text is only spaces', { ...text, message: ' \n ' }, { message: [noText] }],
    ['the text is too long', { ...text, message: 'x'.repeat(4097) }, { message: [noText] }],
    [
      'the text has a NUL',
      { ...text, message: 'a\0b' },
      { message: ['must not have the character NUL (U+0000)'] },
    ],
    [
      'the name of a field has a NUL',
      { ...text, 'a\0b': 1 },
      { body: ['must not have the character NUL (U+0000)'] },
    ],
    [
      'a field with a NUL has a name that every object has',
      { ...text, constructor: 'a\0b' },
      { constructor: ['must not have the character NUL (U+0000)'] },
    ],
  ])('422 when %s', async (_, body, errors) => {
    const shop = await app.tenant();
    const response = await shop.call('POST', '/messages/send', body);
    expect(response.body).toEqual({
      success: false,
      message: expect.any(String),
      errors,
      code: 'validation_failed',
    });
    expect(response.status).toBe(422);
    const { rows } = await app.db.pool.query('select 1 from stored_messages where tenant_id = $1', [
      shop.id,
    ]);
    expect(rows).toEqual([]);
  });

  test('422 when a field is nested without end', async () => {
    const shop = await app.tenant();
    const extra = `${'['.repeat(9_000)}${']'.repeat(9_000)}`;
    const body = `{"phone_number":"+14155550123","type":"text","message":"x","extra":${extra}}`;
    const response = await shop.call('POST', '/messages/send', body);
    expect(response.status).toBe(422);
    expect(response.body.errors).toEqual({
      extra: ['must not be nested more than 32 levels deep'],
    });
  });

  test('422 once for a field with many faults, however long the names in it are', async () => {
    const shop = await app.tenant();
    const faulty = Object.fromEntries(Array.from({ length: 100 }, (_, n) => [`k${n}`, ['a\0b']]));
    const name = 'x'.repeat(100);
    const response = await shop.call('POST', '/messages/send', { ...text, [name]: faulty });
    expect(response.status).toBe(422);
    expect(response.body.errors).toEqual({ [name]: ['must not have the character NUL (U+0000)'] });
  });

  test('422 when the text has half of a surrogate pair', async () => {
    const shop = await app.tenant();
    const body = '{"phone_number":"+14155550123","type":"text","message":"a\\ud800b"}';
    const response = await shop.call('POST', '/messages/send', body);
    expect(response.status).toBe(422);
    expect(response.body.errors).toEqual({
      message: ['must be valid Unicode; it has half of a surrogate pair'],
    });
  });

  test('unknown fields are ignored, and a text of 4,096 characters of any script passes', async () => {
    const shop = await app.tenant();
    const response = await shop.call('POST', '/messages/send', {
      ...text,
      message: '文'.repeat(4096),
      colour: 'red',
    });
    expect(response.status).toBe(200);
  });

  test('422 when no number is connected, saying how to connect one', async () => {
    const shop = await app.tenant({ number: false });
    const response = await shop.call('POST', '/messages/send', text);
    expect(response.status).toBe(422);
    expect(response.body.message).toMatch(/parley number connect/);
  });
});

describe('the network', () => {
  const storedOutcomes = async (tenantId: number) => {
    const { rows } = await app.db.pool.query<{ status: string; error: { code: number } | null }>(
      'select status, error from stored_messages where tenant_id = $1',
      [tenantId],
    );
    return rows;
  };

  const problemOf = async (tenantId: number): Promise<string | null> => {
    const { rows } = await app.db.pool.query('select problem from numbers where tenant_id = $1', [
      tenantId,
    ]);
    return rows[0].problem;
  };

  test('refusing a field is 422 on that field with the network’s code', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, { failWith: 131030 });
    const response = await shop.call('POST', '/messages/send', text);
    expect(response.status).toBe(422);
    expect(response.body.errors.phone_number[0]).toMatch(/allowed recipients.*131030/);
    expect(await storedOutcomes(shop.id)).toMatchObject([
      { status: 'failed', error: { code: 131030 } },
    ]);
  });

  test.each([
    [
      4,
      {},
      'The app made too many calls to the network: Application request limit reached (network code 4). Nothing was sent.',
    ],
    [
      131031,
      {},
      "The business account is locked: Account has been locked (network code 131031). See the number's settings.",
    ],
    [
      130429,
      { failDetails: 'Too many messages.' },
      'This number sends more messages per second than the network allows: Too many messages (network code 130429).',
    ],
    [
      131009,
      {},
      'A parameter has a value that is not valid: Parameter value is not valid (network code 131009).',
    ],
    // A code that no table lists.
    [2500, {}, 'Unknown path components (network code 2500).'],
    [
      131026,
      { failAs: 'answer' },
      'phone_number cannot receive this message; it may not be on WhatsApp: Message Undeliverable (network code 131026)',
    ],
  ])('refusing with code %i is reported in one sentence', async (failWith, more, message) => {
    const shop = await app.tenant();
    await misbehave(app, shop, { failWith, ...more });
    const response = await shop.call('POST', '/messages/send', text);
    expect(response.body.message).toBe(message);
  });

  test('refusing a text by its own count of characters names the field', async () => {
    const shop = await app.tenant();
    const response = await shop.call('POST', '/messages/send', {
      ...text,
      message: '😀'.repeat(4096),
    });
    expect(response.status).toBe(422);
    expect(response.body.errors).toEqual({
      message: [
        expect.stringMatching(/^is not accepted by the network: .*4096 characters.*100\)$/),
      ],
    });
  });

  test.each([
    [130497, {}, 'phone_number'],
    [130472, { failAs: 'answer' }, 'phone_number'],
    [130403, {}, 'phone_number'],
    [131064, {}, 'template_name'],
  ])(
    'refusing with code %i is about the message, not about the number',
    async (failWith, more, field) => {
      const shop = await app.tenant();
      await misbehave(app, shop, { failWith, ...more });
      const response = await shop.call('POST', '/messages/send', text);
      expect(response.status).toBe(422);
      expect(response.body.errors[field][0]).toContain(`network code ${failWith}`);
      expect(response.headers['retry-after']).toBeUndefined();
      expect(await problemOf(shop.id)).toBeNull();
    },
  );

  test('refusing with 403 and an unknown code is about the message, not about the access token', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, { failWith: 139999, status: 403 });
    const response = await shop.call('POST', '/messages/send', text);
    expect(response.status).toBe(422);
    expect(await problemOf(shop.id)).toBeNull();
  });

  test.each([3, 33, 131037, 131042, 131045])(
    'refusing with code %i is a problem of the number',
    async (failWith) => {
      const shop = await app.tenant();
      await misbehave(app, shop, { failWith, failAs: 'answer' });
      const response = await shop.call('POST', '/messages/send', text);
      expect(response.status).toBe(500);
      expect(response.body.message).toMatch(/See the number's settings\.$/);
      expect(await problemOf(shop.id)).toContain(`network code ${failWith}`);
    },
  );

  test('refusing the access token is 500, and the number shows the problem until the next message is sent', async () => {
    const shop = await app.tenant();
    await misbehave(app, shop, { failWith: 190, count: 1 });
    const response = await shop.call('POST', '/messages/send', text);
    expect(response.status).toBe(500);
    expect(response.body.message).toMatch(/access token.*190/);
    expect(await problemOf(shop.id)).toMatch(/access token.*190/);
    // Numbers are cached for less than a second.
    await sleep(1_000);
    expect((await shop.call('POST', '/messages/send', text)).status).toBe(200);
    expect(await problemOf(shop.id)).toBeNull();
  });

  test('not knowing the number’s id is a problem of the number, not of the caller', async () => {
    const shop = await app.tenant();
    await app.db.pool.query(`update numbers set phone_number_id = '1' where tenant_id = $1`, [
      shop.id,
    ]);
    const response = await shop.call('POST', '/messages/send', text);
    expect(response.status).toBe(500);
    const problem = /^The network does not let the access token use this number.*'1'.*code 100/;
    expect(response.body.message).toMatch(problem);
    expect(await problemOf(shop.id)).toMatch(problem);
  });

  test.each([
    [401, 'network_refused', undefined],
    [429, 'network_unavailable', '300'],
    [500, 'network_unavailable', '5'],
  ])(
    'responding with HTTP %i leaves a failed message, the code %s and the Retry-After %s',
    async (status, code, retryAfter) => {
      const shop = await app.tenant();
      await misbehave(app, shop, { status });
      const response = await shop.call('POST', '/messages/send', text);
      expect(response.status).toBe(500);
      expect(response.body).toMatchObject({ success: false, errors: {}, code });
      expect(response.headers['retry-after']).toBe(retryAfter);
      expect((await storedOutcomes(shop.id)).map((row) => row.status)).toEqual(['failed']);
    },
  );

  test.each(['garbage', 'half', 'drop-after-accept'])(
    'responding with %s leaves the message unknown until a callback reports it',
    async (answerKnob) => {
      const shop = await app.tenant({ delivers: true });
      await misbehave(app, shop, { answer: answerKnob, callbackDelayMs: 300, stepMs: 1, count: 1 });
      const response = await shop.call('POST', '/messages/send', text);
      expect(response.status).toBe(500);
      const { id } = response.body.data;
      expect(response.body).toEqual({
        success: false,
        message: `The outcome is unknown: the message may have been sent. Before you send it again, look it up with GET /messages/id:${id}.`,
        errors: {},
        code: 'outcome_unknown',
        data: { id: expect.any(Number) },
      });
      // A client that retries automatically would send a second message.
      expect(response.headers['retry-after']).toBeUndefined();
      await eventually(async () => (await storedOutcomes(shop.id))[0]?.status === 'delivered');
      const byOurId = await shop.call('GET', `/messages/id:${id}`);
      expect(byOurId.body.data.status).toBe('delivered');
      const messages = await onThePhone(app, shop);
      expect(messages).toHaveLength(1);
      const { wamid } = messages[0];
      const looked = await shop.call('GET', `/messages/${encodeURIComponent(wamid)}`);
      expect(looked.body.data).toMatchObject({ message_id: wamid, status: 'delivered' });
    },
  );

  test.each([
    ['a good response', {}],
    ['half a response', { answer: 'half' }],
  ])('accepting a message with %s that cannot be stored may have sent it', async (_, knobs) => {
    const shop = await app.tenant({ delivers: true });
    await misbehave(app, shop, { callbackDelayMs: 300, stepMs: 1, count: 1, ...knobs });
    await app.db.pool.query('alter table message_states rename failed_at to away');
    const response = await shop.call('POST', '/messages/send', text);
    await app.db.pool.query('alter table message_states rename away to failed_at');
    expect(response.status).toBe(500);
    expect(response.body.message).toMatch(/may have been sent/);
    expect(response.body).toMatchObject({
      code: 'outcome_unknown',
      data: { id: expect.any(Number) },
    });
    expect(response.headers['retry-after']).toBeUndefined();
    await eventually(async () => (await storedOutcomes(shop.id))[0]?.status === 'delivered');
  });

  test('that is unreachable is 500 immediately, and nothing is sent or counted against the day', async () => {
    const shop = await app.tenant({ plan: 'starter' });
    const offline = await buildApp({ ...app.services, networkUrl: 'http://127.0.0.1:1' });
    onTestFinished(() => offline.close());
    const response = await call(
      { ...app, app: offline },
      'POST',
      `/api/${shop.slug}/messages/send`,
      text,
      { authorization: `Bearer ${shop.token}` },
    );
    expect(response.status).toBe(500);
    expect(response.body.message).toMatch(/cannot be reached; nothing was sent/);
    expect(response.headers['x-message-quota-remaining']).toBe('1000');
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
    const title = 'The network could not be reached';
    expect(await storedOutcomes(shop.id)).toEqual([
      { status: 'failed', error: { code: null, title, details: null } },
    ]);
    // The network's own code 0 would mean the access token.
    const member = await signIn(app, shop);
    const path = `/conversation?phone=${encodeURIComponent(text.phone_number)}`;
    expect((await member.call('GET', path)).body.data.messages).toMatchObject([
      { failure: { code: null, words: title, details: null } },
    ]);
    expect((await member.call('GET', '/overview')).body.data.failures).toMatchObject([
      { code: null, title, messages: 1 },
    ]);
  });
});

describe('a network that is silent', () => {
  const patient = testApp({ PARLEY_NETWORK_TIMEOUT_MS: '1000' });

  test('leaves the message unknown after the timeout, and counts it against the day', async () => {
    const shop = await patient.tenant({ plan: 'starter' });
    await control(patient, 'POST', '/simulator/behaviour', { answer: 'never', callbacks: false });
    const response = await shop.call('POST', '/messages/send', text);
    expect(response.status).toBe(500);
    expect(response.body.message).toMatch(/may have been sent/);
    expect(response.headers['x-message-quota-remaining']).toBe('999');
    const { rows } = await patient.db.pool.query(
      'select status from stored_messages where tenant_id = $1',
      [shop.id],
    );
    expect(rows).toEqual([{ status: 'unknown' }]);
  });
});

test('a refused message is refunded even if another transaction holds its rows', async () => {
  const shop = await app.tenant();
  await misbehave(app, shop, { failWith: 131026, failAs: 'answer' });
  const waitingFor = (lock: string) => lockWaiters(app, { like: '%completed as (%', lock });
  const outcomes = await holdOutcomes(app, shop);
  const sent = shop.call('POST', '/messages/send', text);
  await waitingFor('advisory');
  const other = await holdLocks(
    app,
    `insert into message_states (tenant_id, message_id, created_at, status)
     select tenant_id, id, created_at, 'unknown' from messages where tenant_id = ${shop.id}`,
  );
  await outcomes.query('commit');
  await waitingFor('transactionid');
  // A deadlock: PostgreSQL cancels one of the two, nearly always the one that has waited longer, the send.
  await other
    .query('select from token_days where tenant_id = $1 for update', [shop.id])
    .catch((error) => expect(error.code).toBe('40P01'));
  await other.query('rollback');
  expect((await sent).status).toBe(422);
  const { rows } = await app.db.pool.query(
    `select status, messages from stored_messages join token_days using (tenant_id, token_id)
     where tenant_id = $1`,
    [shop.id],
  );
  expect(rows).toEqual([{ status: 'failed', messages: 0 }]);
});
