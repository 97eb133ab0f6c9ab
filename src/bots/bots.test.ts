import { describe, expect, test } from 'vitest';
import { botServices, testBot, testTemplateBot } from '../../test/features/bots.ts';
import { signIn } from '../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { control } from '../../test/servers/control.ts';
import { ApiError } from '../platform/errors/api-error.ts';
import { syncTemplates } from '../templates/syncing/sync-templates.ts';
import { createBot } from './create-bot.ts';
import { deleteBot } from './delete-bot.ts';
import { listBotsWithProblems } from './list-bots-with-problems.ts';
import type { NewBot } from './schema.ts';
import { updateBot } from './update-bot.ts';

const app = testApp();

async function shopWithTemplates(): Promise<TestTenant> {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  return shop;
}

/** Returns the faults of a bot, by field. */
async function faultsOf(shop: TestTenant, bot: object): Promise<Record<string, string[]>> {
  const error = await createBot(botServices(app), shop.id, bot as NewBot).then(
    () => undefined,
    (error) => error,
  );
  if (!(error instanceof ApiError)) throw new Error('it was taken', { cause: error });
  expect(error.status).toBe(422);
  return error.errors;
}

const messageBot = {
  kind: 'message',
  name: 'Hours',
  match: 'contains',
  keywords: ['hours'],
  reply: 'Nine to five.',
};
const templateBot = {
  kind: 'template',
  name: 'Order',
  match: 'contains',
  keywords: ['order'],
  template_name: 'order_update',
  template_language: 'en',
  fields: ['{{firstname}}', '#1', 'Friday'],
};

describe('the lists of the API', () => {
  test('have every bot of the tenant with its keywords, and no bot of another kind', async () => {
    const shop = await shopWithTemplates();
    const hours = await testBot(app, shop, { keywords: ['hours', ' opening '], reply: '9 to 5' });
    const order = await testTemplateBot(app, shop, { active: false, pause_minutes: 10 });
    await testBot(app, await app.tenant(), { keywords: ['x'], reply: 'Not yours' });

    expect((await shop.call('GET', '/message-bots')).body).toEqual({
      success: true,
      data: [
        {
          id: hours.id,
          name: '9 to 5',
          active: true,
          match: 'exact',
          keywords: ['hours', 'opening'],
          pause_minutes: 0,
          reply: '9 to 5',
        },
      ],
    });
    expect((await shop.call('GET', '/template-bots')).body).toEqual({
      success: true,
      data: [
        {
          id: order.id,
          name: 'Order',
          active: false,
          match: 'contains',
          keywords: ['order'],
          pause_minutes: 10,
          template_name: 'order_update',
          template_language: 'en',
          fields: ['{{firstname|you}}', '{{message}}', 'Friday'],
        },
      ],
    });
  });

  test.each([
    ['/message-bots', 'message-bots:read', 'template-bots:read'],
    ['/template-bots', 'template-bots:read', 'message-bots:read'],
  ])('%s needs its own ability, and a token', async (path, own, other) => {
    const allowed = await app.tenant({ abilities: [own], number: false });
    expect(await allowed.call('GET', path)).toMatchObject({ status: 200, body: { data: [] } });
    const refused = await app.tenant({ abilities: [other], number: false });
    expect((await refused.call('GET', path)).status).toBe(403);
    const stranger = await allowed.call('GET', path, undefined, { authorization: 'Bearer x' });
    expect(stranger.status).toBe(401);
    expect((await allowed.call('POST', path, {})).status).toBe(404);
  });

  test('are in the API description', async () => {
    const { paths, components } = app.app.apiDescription();
    for (const [path, record] of [
      ['message-bots', 'MessageBot'],
      ['template-bots', 'TemplateBot'],
    ] as const) {
      expect(JSON.stringify(paths[`/api/{tenant}/${path}`]?.get?.responses[200])).toContain(record);
      expect(components.schemas[record]).toHaveProperty('properties.keywords');
    }
  });
});

describe('a bot is refused', () => {
  test.each<[string, object, string, RegExp]>([
    ['without a name', { ...messageBot, name: ' ' }, 'name', /visible character/],
    ['with an unknown match', { ...messageBot, match: 'regex' }, 'match', /one of exact/],
    ['without keywords', { ...messageBot, keywords: [] }, 'keywords', /at least one/],
    [
      'with a pause of a week',
      { ...messageBot, pause_minutes: 10_080 },
      'pause_minutes',
      /at most 1440/,
    ],
    ['with an empty keyword', { ...messageBot, keywords: ['a', ' \u200b'] }, 'keywords', /empty/],
    ['with keywords and any', { ...messageBot, match: 'any' }, 'keywords', /must be absent/],
    ['without a reply', { ...messageBot, reply: undefined }, 'reply', /required/],
    ['with a blank reply', { ...messageBot, reply: ' \n ' }, 'reply', /visible text/],
    ['with an invisible reply', { ...messageBot, reply: '\u200b' }, 'reply', /visible text/],
    ['with too long a reply', { ...messageBot, reply: 'x'.repeat(4097) }, 'reply', /4,096/],
    [
      'with an unknown placeholder',
      { ...messageBot, reply: 'Hi {{nickname}}' },
      'reply',
      /\{\{nickname\}\}/,
    ],
    [
      'with an unknown placeholder in a field',
      { ...templateBot, fields: ['{{1}}', 'a', 'b'] },
      'fields',
      /\{\{1\}\}/,
    ],
    [
      'with a template that does not exist',
      { ...templateBot, template_name: 'order_lost' },
      'template_name',
      /is not a template/,
    ],
    [
      'with a language that the template does not have',
      { ...templateBot, template_language: 'de' },
      'template_language',
      /en \(APPROVED\), ur/,
    ],
    ['with too few fields', { ...templateBot, fields: ['a', 'b'] }, 'field_3', /is required/],
    [
      'with too many fields',
      { ...templateBot, fields: ['a', 'b', 'c', 'd'] },
      'field_4',
      /is not used by the template/,
    ],
    [
      'with a template that needs a picture',
      { ...templateBot, template_name: 'spring_offer', fields: ['a', 'b'] },
      'template_name',
      /header of type image/,
    ],
  ])('%s', async (_, bot, field, message) => {
    const faults = await faultsOf(await shopWithTemplates(), bot);
    expect(faults[field]?.[0]).toMatch(message);
  });

  test('with a template of one-time passwords, and without a number', async () => {
    const shop = await shopWithTemplates();
    const { body } = await shop.call('GET', '/templates');
    const code = body.data.find((each: { category: string }) => each.category === 'AUTHENTICATION');
    const bot = { ...templateBot, template_name: code.name, template_language: code.language };
    expect((await faultsOf(shop, { ...bot, fields: ['1'] })).template_name?.[0]).toMatch(
      /authentication template/,
    );
    const bare = await app.tenant({ number: false });
    await expect(createBot(botServices(app), bare.id, templateBot as NewBot)).rejects.toThrow(
      'no WhatsApp number',
    );
  });

  test('if the tenant already has 200', async () => {
    const shop = await app.tenant({ number: false });
    for (let made = 0; made < 200; made++) {
      await testBot(app, shop, { match: 'any', reply: String(made) });
    }
    expect(await faultsOf(shop, messageBot)).toEqual({
      name: ['cannot be added: the tenant has 200 bots, the maximum'],
    });
  });
});

describe('a bot', () => {
  test('that two members change at the same time has both changes', async () => {
    const shop = await app.tenant({ number: false });
    const { id } = await testBot(app, shop, { keywords: ['hours'], reply: '9 to 5' });
    const services = botServices(app);
    const changes = [
      { name: 'Hours' },
      { active: false },
      { keywords: ['open'] },
      { pause_minutes: 60 },
      { reply: '10' },
    ];
    await Promise.all(changes.map((change) => updateBot(services, shop.id, id, change)));
    const { body } = await shop.call('GET', '/message-bots');
    expect(body.data).toEqual([
      {
        id,
        name: 'Hours',
        active: false,
        match: 'exact',
        keywords: ['open'],
        pause_minutes: 60,
        reply: '10',
      },
    ]);
  });

  test('is changed only in the given fields, under the same rules', async () => {
    const shop = await app.tenant();
    const bot = await testBot(app, shop, { keywords: ['hours'], reply: '9 to 5' });
    const services = botServices(app);
    expect(
      await updateBot(services, shop.id, bot.id, { match: 'first_message', keywords: [] }),
    ).toMatchObject({ id: bot.id, match: 'first_message', keywords: [], reply: '9 to 5' });
    await expect(updateBot(services, shop.id, bot.id, { match: 'exact' })).rejects.toThrow(
      'keywords must have at least one entry',
    );
    const other = await app.tenant({ number: false });
    await expect(updateBot(services, other.id, bot.id, { name: 'Mine' })).rejects.toThrow(
      'Not found.',
    );
    expect((await shop.call('GET', '/message-bots')).body.data).toMatchObject([
      { name: '9 to 5', match: 'first_message' },
    ]);
  });

  test('whose template is no longer approved shows the problem, and can be switched off but not on', async () => {
    const shop = await shopWithTemplates();
    const bot = await testTemplateBot(app, shop, {});
    const services = botServices(app);
    expect(await listBotsWithProblems(services, shop.id)).toMatchObject([{ problem: null }]);
    await control(app, 'PATCH', '/simulator/templates', {
      business_account_id: shop.number.business_account_id,
      name: 'order_update',
      language: 'en',
      status: 'PAUSED',
    });
    await syncTemplates(app.services, shop.id);
    const fresh = botServices(app);
    const [listed] = await listBotsWithProblems(fresh, shop.id);
    expect(listed!.problem).toMatchObject({
      code: 'not_approved',
      values: { versions: 'en (PAUSED), ur (APPROVED)' },
    });
    expect(listed!.problem?.text).toMatch(/not approved.*en \(PAUSED\)/);
    await expect(updateBot(fresh, shop.id, bot.id, { name: 'Still on' })).rejects.toThrow('PAUSED');
    expect((await updateBot(fresh, shop.id, bot.id, { active: false })).active).toBe(false);
    await expect(updateBot(fresh, shop.id, bot.id, { active: true })).rejects.toThrow('PAUSED');
  });

  test('is deleted only by its own tenant', async () => {
    const shop = await app.tenant({ number: false });
    const bot = await testBot(app, shop, { keywords: ['hours'], reply: '9 to 5' });
    const other = await app.tenant({ number: false });
    expect(await deleteBot(app.db, other.id, bot.id)).toBe(false);
    expect(await deleteBot(app.db, shop.id, bot.id)).toBe(true);
    expect((await shop.call('GET', '/message-bots')).body.data).toEqual([]);
  });
});

test('a page of answers before an invalid id is refused', async () => {
  const member = await signIn(app, await app.tenant());
  const { status, body } = await member.call('GET', '/bots/answers?before=99999999999999999999');
  expect(status).toBe(422);
  expect(body.errors).toHaveProperty('before');
});
