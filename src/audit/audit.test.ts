import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Command } from 'commander';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { apiRules, dashboardRules } from '../../attack/permissions.ts';
import { eventually } from '../../test/checks/eventually.ts';
import { statementOf } from '../../test/database/plan-of.ts';
import { cheapPasswords } from '../../test/features/cheap-passwords.ts';
import { post, sameOrigin, signIn, type TestMember } from '../../test/features/sign-in.ts';
import { call, databaseSettings, type TestTenant, testApp } from '../../test/program/app.ts';
import { runCommand } from '../../test/program/run-command.ts';
import { control } from '../../test/servers/control.ts';
import { createProgram } from '../cli/program.ts';
import { syncTemplates } from '../templates/syncing/sync-templates.ts';
import { type AuditAction, allAuditActions, auditFields } from './actions.ts';
import { pruneAudit } from './prune-audit.ts';
import { type EntryFilter, type EntryRow, listEntries } from './queries.ts';

cheapPasswords();
const dayMs = 86_400_000;
const app = testApp();

/** Writes of routes that leave no entry, with the reason. */
const quietRoutes: Record<string, string> = {
  'POST /messages/send': 'messages have their cause',
  'POST /messages/interactive': 'messages have their cause',
  'POST /messages/media': 'messages have their cause',
  'POST /messages/template': 'messages have their cause',
  'POST /media': 'messages have their cause',
  'PUT /conversation': 'the daily work of staff',
  'POST /contacts': 'a single contact',
  'PUT /contacts': 'a single contact',
  'PUT /contacts/:id': 'a single contact',
  'DELETE /contacts/:id': 'a single contact',
  'POST /statuses': 'only the deletion of a label loses something',
  'PUT /statuses/:id': 'only the deletion of a label loses something',
  'POST /sources': 'only the deletion of a label loses something',
  'PUT /sources/:id': 'only the deletion of a label loses something',
  'POST /groups': 'only the deletion of a label loses something',
  'PUT /groups/:id': 'only the deletion of a label loses something',
  'POST /template-overview/sync': 'reads from the network',
  'POST /numbers/visible': 'reads from the network',
  'POST /webhook/test': 'sends a test',
  'POST /webhook/redeliver': 'the log of deliveries has the attempts',
  'POST /stores/:id/test': 'sends a sample',
  'POST /stores/:id/preview': 'changes nothing',
  'POST /stores/:id/events/:event/replay': 'the log of posts has the attempts',
  'POST /stores/:id/events/replay-failed': 'the log of posts has the attempts',
  'POST /bots/try': 'changes nothing',
};

/** Commands that change nothing of a tenant, or only its deliveries and posts, which have logs of their own. */
const quietCommands = [
  'serve',
  'migrate',
  'demo',
  'top',
  'doctor',
  'backup check',
  'restore',
  'master-key finish',
  'tenant list',
  'tenant show',
  'tenant delete',
  'token list',
  'number list',
  'event tail',
  'webhook show',
  'webhook list',
  'webhook test',
  'webhook deliveries',
  'webhook redeliver',
  'store list',
  'store events',
  'store test',
  'store preview',
  'store replay',
  'template list',
  'template sync',
  'bot list',
  'bot answers',
  'bot try',
  'member list',
  'member find',
  'message list',
  'message show',
  'audit',
  'cell map',
  'cell write-maps',
];

type Step = {
  action: AuditAction;
  /** The route that the step calls. */
  route?: string;
  /** The command that the step runs. */
  command?: string;
  /** Texts that the entry has. */
  has?: string[];
  run(): Promise<unknown>;
};

async function entriesOf({ id }: Pick<TestTenant, 'id'>): Promise<EntryRow[]> {
  return listEntries(app.db, id, {}, { limit: 1_000 });
}

/** Runs each step, which must leave exactly one entry of its actor. */
async function runSteps(shop: TestTenant, steps: Step[], actor: object): Promise<void> {
  for (const { action, run, has = [] } of steps) {
    const before = await entriesOf(shop);
    await run();
    const entries = await entriesOf(shop);
    const added = entries.slice(0, entries.length - before.length);
    expect(added, action).toMatchObject([{ action, ...actor }]);
    for (const { field } of added[0]!.changes) {
      if (action !== 'store.topic_changed') expect(auditFields, action).toContain(field);
    }
    for (const text of has) expect(JSON.stringify(added[0]), action).toContain(text);
  }
}

const headers = [{ name: 'X-Key', value: 'value-of-a-header' }];
const url = 'https://receiver.example/hooks/path-of-a-hook?key=key-of-a-hook';
const hook = { name: 'erp', on: true, url, events: ['contact.*'], headers };
const allOf = { numbers: [], kinds: [], causes: [] };

/** Values that must be in no entry. */
const secrets: string[] = [
  'value-of-a-header',
  'path-of-a-hook',
  'key-of-a-hook',
  'key-of-a-store',
];

/** The steps of an owner in the dashboard. */
function dashboardSteps(shop: TestTenant, owner: TestMember): Step[] {
  const made: Record<string, number> = {};
  let staff: TestMember;
  const does = async (method: string, path: string, body?: unknown) => {
    const response = await owner.call(method, path, body);
    expect(response.status, `${method} ${path} ${JSON.stringify(response.body)}`).toBe(200);
    return response.body.data;
  };
  const steps: Step[] = [];
  const step = (
    action: AuditAction,
    route: string,
    run: (send: (body?: unknown, path?: string) => ReturnType<typeof does>) => Promise<unknown>,
    has: string[] = [],
  ) => {
    const [method, path] = route.split(' ') as [string, string];
    steps.push({ action, route, has, run: () => run((body, at = path) => does(method, at, body)) });
  };

  step(
    'token.created',
    'POST /tokens',
    async (send) => {
      const { value, token } = await send({ name: 'Till', abilities: ['contacts:read'] });
      made.token = token.id;
      secrets.push(value);
    },
    ['Till', 'contacts:read'],
  );
  step(
    'token.activated',
    'PUT /api-settings',
    (send) => send({ api_access: true, activate: [made.token] }),
    ['Till'],
  );
  step(
    'token.revoked',
    'POST /tokens/:id/revoke',
    (send) => send(undefined, `/tokens/${made.token}/revoke`),
    ['Till'],
  );
  step('tenant.changed', 'PUT /api-settings', (send) => send({ api_access: false, activate: [] }), [
    '{"after":false,"field":"api_access","before":true}',
  ]);
  step(
    'tenant.changed',
    'PUT /inbound-settings',
    (send) => send({ contacts_from_inbound: false }),
    ['contacts_from_inbound'],
  );
  step('tenant.changed', 'PUT /inbound-settings', (send) => send({ message_retention_days: 90 }), [
    '{"after":90,"field":"message_retention_days","before":null}',
  ]);
  step(
    'tenant.changed',
    'PUT /region',
    (send) => send({ locale: 'de', time_zone: 'Europe/Berlin' }),
    ['Europe/Berlin'],
  );
  step('tenant.changed', 'PUT /request-bodies', (send) => send({ minutes: 5 }), [
    'log_bodies_until',
  ]);

  step(
    'member.invited',
    'POST /members/invitations',
    async (send) => {
      const { url, invitation } = await send({ email: 'ana@example.com', role: 'staff' });
      made.invitation = invitation.id;
      secrets.push(new URL(url).hash.slice(1));
    },
    ['ana@example.com', 'staff'],
  );
  step(
    'member.uninvited',
    'DELETE /members/invitations/:id',
    (send) => send(undefined, `/members/invitations/${made.invitation}`),
    ['ana@example.com'],
  );
  step(
    'member.changed',
    'PUT /members/:user_id',
    async (send) => {
      staff = await signIn(app, shop, 'staff');
      await send({ role: 'owner' }, `/members/${staff.userId}`);
    },
    ['{"after":"owner","field":"role","before":"staff"}'],
  );
  step(
    'member.removed',
    'DELETE /members/:user_id',
    (send) => send(undefined, `/members/${staff.userId}`),
    ['@example.com'],
  );

  step(
    'webhook.created',
    'POST /webhook/endpoints',
    async (send) => {
      const { webhook, secret } = await send({ ...hook, ...allOf });
      made.webhook = webhook.id;
      secrets.push(secret);
    },
    ['erp', 'receiver.example', 'contact.*'],
  );
  step(
    'webhook.changed',
    'PUT /webhook',
    (send) =>
      send(
        { ...hook, ...allOf, url: `${url}2`, events: ['message.*'] },
        `/webhook?endpoint=${made.webhook}`,
      ),
    ['"field":"url"', '"field":"headers"', 'message.*'],
  );
  step('webhook.paused', 'PUT /webhook/pause', (send) =>
    send({ paused: true }, `/webhook/pause?endpoint=${made.webhook}`),
  );
  step('webhook.resumed', 'PUT /webhook/pause', (send) =>
    send({ paused: false }, `/webhook/pause?endpoint=${made.webhook}`),
  );
  step('webhook.secret_rotated', 'POST /webhook/secret', async (send) => {
    secrets.push((await send(undefined, `/webhook/secret?endpoint=${made.webhook}`)).secret);
  });
  step(
    'webhook.deleted',
    'DELETE /webhook',
    (send) => send(undefined, `/webhook?endpoint=${made.webhook}`),
    ['erp'],
  );

  step(
    'number.connected',
    'POST /numbers',
    async (send) => {
      const { phone_number_id, business_account_id, access_token, app_secret } = await control(
        app,
        'POST',
        '/simulator/numbers',
        {},
      );
      secrets.push(access_token, app_secret);
      const number = { phone_number_id, business_account_id, access_token, app_secret };
      made.number = (await send(number)).id;
    },
    ['phone_number_id'],
  );
  step(
    'number.changed',
    'PUT /numbers/:id',
    (send) => send({ default: true }, `/numbers/${made.number}`),
    ['is_default'],
  );
  step(
    'number.changed',
    'PUT /numbers/:id',
    (send) => send({ marketing_endpoint: true }, `/numbers/${made.number}`),
    ['marketing_endpoint'],
  );
  step(
    'number.changed',
    'POST /numbers/:id/verify',
    (send) => send({ take_over: true }, `/numbers/${made.number}/verify`),
    ['callbacks_taken_over'],
  );
  step('number.disconnected', 'DELETE /numbers/:id', (send) =>
    send(undefined, `/numbers/${made.number}`),
  );
  step('number.connected', 'POST /numbers/simulated', (send) => send());

  step(
    'store.created',
    'POST /stores',
    async (send) => {
      const { id, secret } = await send({ platform: 'woocommerce', name: 'Bakery' });
      made.store = id;
      secrets.push(secret);
    },
    ['Bakery', 'woocommerce'],
  );
  step(
    'store.changed',
    'PUT /stores/:id',
    (send) => send({ country: 'de' }, `/stores/${made.store}`),
    ['{"after":"DE","field":"country","before":null}'],
  );
  step(
    'store.topic_changed',
    'PUT /stores/:id/topics/:topic',
    (send) => send({ contact: { mode: 'none' } }, `/stores/${made.store}/topics/order.created`),
    ['order.created'],
  );
  step(
    'store.keys_changed',
    'PUT /stores/:id/keys',
    (send) => send({ secret: 'key-of-a-store' }, `/stores/${made.store}/keys`),
    ['secret'],
  );
  step('store.deleted', 'DELETE /stores/:id', (send) => send(undefined, `/stores/${made.store}`), [
    'Bakery',
  ]);

  const bot = {
    kind: 'message',
    name: 'Hours',
    match: 'exact',
    keywords: ['hours'],
    reply: 'At 8.',
  };
  step(
    'bot.created',
    'POST /bots',
    async (send) => {
      made.bot = (await send(bot)).id;
    },
    ['Hours'],
  );
  step(
    'bot.changed',
    'PUT /bots/:id',
    (send) => send({ active: false, reply: 'At 9.' }, `/bots/${made.bot}`),
    ['active', '"field":"reply"'],
  );
  step('bot.deleted', 'DELETE /bots/:id', (send) => send(undefined, `/bots/${made.bot}`), [
    'Hours',
  ]);

  for (const kind of ['statuses', 'sources', 'groups']) {
    step(
      'label.deleted',
      `DELETE /${kind}/:id`,
      async (send) => {
        const { id } = await does('POST', `/${kind}`, {
          name: 'VIP',
          color: kind === 'groups' ? undefined : '#f59e0b',
        });
        await send(undefined, `/${kind}/${id}`);
      },
      ['VIP'],
    );
  }

  const person = { firstname: 'Ada-of-a-contact', phone: '+14155550123' };
  secrets.push(person.firstname, person.phone);
  step(
    'contacts.changed',
    'POST /contacts/assign',
    async (send) => {
      made.contact = (await does('POST', '/contacts', person)).id;
      made.group = (await does('POST', '/groups', { name: 'Regulars' })).id;
      await send({ ids: [made.contact], add_group_id: made.group, ...person });
    },
    ['"field":"add_group_id"', '"after_name":"Regulars"'],
  );
  step(
    'contacts.changed',
    'POST /contacts/bulk',
    async (send) => {
      const filter = { search: person.firstname, [person.phone]: true };
      made.bulk = (await send({ filter, change: { add_group_id: made.group, ...person } })).id;
    },
    ['["search"]', '"after_name":"Regulars"'],
  );
  step('contacts.change_stopped', 'POST /contacts/bulk/:id/stop', (send) =>
    send(undefined, `/contacts/bulk/${made.bulk}/stop`),
  );
  step('contacts.deleted', 'POST /contacts/delete', (send) => send({ ids: [made.contact] }));
  step(
    'contacts.imported',
    'POST /contacts/imports',
    async () => {
      const csv = `phone,firstname\n${person.phone},${person.firstname}\n`;
      const path = `/dashboard-api/${shop.slug}/contacts/imports?filename=people.csv`;
      const response = await call(app, 'POST', path, csv, {
        ...sameOrigin,
        cookie: owner.cookie,
        'content-type': 'text/csv',
      });
      expect(response.status).toBe(200);
    },
    ['people.csv'],
  );
  step(
    'contacts.exported',
    'GET /contacts/export',
    async () => {
      const { status } = await owner.call(
        'GET',
        `/contacts/export?search=${person.firstname}&${person.firstname}=1`,
      );
      expect(status).toBe(200);
    },
    ['["search"]'],
  );
  step('contacts.merge_undone', 'POST /contact-merges/:id/undo', async (send) => {
    await mergeTwo(shop);
    const [merge] = await does('GET', '/contact-merges');
    await send(undefined, `/contact-merges/${merge.id}/undo`);
  });
  return steps;
}

/** Lets a person write without a phone and with it, so that two conversations become one. */
async function mergeTwo({ number: { phone_number_id } }: TestTenant): Promise<void> {
  const [wa_id, user_id] = ['14155550155', 'US.77120155'];
  const report = async (id: string, contact: object, from: object) => {
    await control(app, 'POST', '/simulator/changes', {
      phone_number_id,
      field: 'messages',
      value: {
        contacts: [{ profile: { name: 'Ana' }, ...contact }],
        messages: [{ id, timestamp: '1793000000', type: 'text', text: { body: 'Hi' }, ...from }],
      },
    });
    await eventually(async () => {
      const { rows } = await app.db.query(sql`select from message_states where network_id = ${id}`);
      return rows.length > 0;
    });
  };
  await report('wamid.phone', { wa_id }, { from: wa_id });
  await report('wamid.hidden', { user_id }, { from_user_id: user_id });
  await report('wamid.both', { wa_id, user_id }, { from: wa_id, from_user_id: user_id });
}

/** Runs a command in this process. */
async function parley(...args: string[]) {
  const ran = await runHere(...args);
  expect(ran, args.join(' ')).toMatchObject({ code: 0 });
  return JSON.parse(ran.stdout);
}

function runHere(...args: string[]) {
  const { config } = app.services;
  const environment = {
    ...process.env,
    ...databaseSettings(app),
    PARLEY_DATA_DIR: config.dataDir,
    PARLEY_NETWORK_URL: app.simulator.url,
    PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
  };
  return runCommand([...args, '--json'], environment);
}

/** The steps of the operator, in a folder for files. */
function commandSteps({ slug, number }: TestTenant, folder: string): Step[] {
  const made: Record<string, string> = {};
  const steps: Step[] = [];
  const step = (
    action: AuditAction,
    command: string,
    args: () => string[],
    keep: (printed: Awaited<ReturnType<typeof parley>>) => void = () => {},
  ) => {
    const run = async () => keep(await parley(...command.split(' '), slug, ...args()));
    steps.push({ action, command, run });
  };
  const ofStore = (...further: string[]) => [made.store!, ...further];
  const file = (name: string) => join(folder, name);

  step('tenant.changed', 'tenant set-plan', () => ['pro']);
  step('tenant.changed', 'tenant set-api-access', () => ['off']);
  step('tenant.changed', 'tenant set-api-access', () => ['on']);
  step('tenant.changed', 'tenant set-inbound-contacts', () => ['off']);
  step('tenant.changed', 'tenant set-keep-files', () => ['30']);
  step('tenant.changed', 'tenant set-message-retention', () => ['90']);
  step('tenant.changed', 'tenant set-region', () => ['--locale', 'de']);
  step(
    'token.created',
    'token create',
    () => ['--name', 'Till', '--abilities', 'all'],
    (printed) => {
      made.token = String(printed.id);
      secrets.push(printed.token);
    },
  );
  step('token.revoked', 'token revoke', () => [made.token!]);
  step(
    'member.invited',
    'member add',
    () => ['ana@example.com'],
    ({ url }) => {
      secrets.push(new URL(url).hash.slice(1));
    },
  );
  step('member.uninvited', 'member remove', () => ['ana@example.com']);
  step('number.changed', 'number set', () => [
    number.phone_number_id,
    '--marketing-endpoint',
    'on',
  ]);
  step(
    'webhook.created',
    'webhook set',
    () => ['--url', url],
    (printed) => {
      secrets.push(printed.secret);
    },
  );
  step('webhook.created', 'webhook add', () => ['--name', 'crm', '--url', url]);
  step('webhook.paused', 'webhook pause', () => []);
  step('webhook.resumed', 'webhook resume', () => []);
  step('webhook.switched_off', 'webhook off', () => []);
  step('webhook.secret_rotated', 'webhook rotate-secret', () => []);
  step('webhook.deleted', 'webhook remove', () => ['crm']);
  step(
    'store.created',
    'store create',
    () => ['--platform', 'woocommerce', '--name', 'Bakery'],
    (printed) => {
      made.store = String(printed.id ?? printed.store.id);
      secrets.push(printed.secret);
    },
  );
  step('store.changed', 'store set', () => ofStore('--country', 'DE'));
  step('store.changed', 'store set-number', () => ofStore(number.phone_number_id));
  step('store.keys_changed', 'store set-keys', () => ofStore('--secret-file', file('key')));
  step('store.topic_changed', 'store map', () => ofStore('order.created', '--contact', 'none'));
  step('store.paused', 'store pause', () => ofStore('--reason', 'A check'));
  step('store.resumed', 'store resume', () => ofStore());
  step('store.deleted', 'store delete', () => ofStore());
  const bot = ['--name', 'Hours', '--match', 'exact', '--keywords', 'hours'];
  step(
    'bot.created',
    'bot create-message',
    () => [...bot, '--reply', 'At 8.'],
    ({ id }) => {
      made.bot = String(id);
    },
  );
  step('bot.created', 'bot create-template', () => [
    ...bot,
    '--template-name',
    'order_update',
    '--template-language',
    'en',
    '--fields',
    'a,b,c',
    '--inactive',
  ]);
  step('bot.deleted', 'bot delete', () => [made.bot!]);
  step('contacts.exported', 'contact export', () => [file('contacts.csv')]);
  step('contacts.imported', 'contact import', () => [file('contacts.csv')]);
  const key = () => ['--key-file', file('key')];
  step('tenant.exported', 'tenant export', () => ['--to', file('tenant'), ...key()]);
  steps.push({
    action: 'number.connected',
    command: 'number connect',
    run: async () => {
      const simulated = await control(app, 'POST', '/simulator/numbers', {});
      made.number = simulated.phone_number_id;
      await writeFile(file('token'), simulated.access_token);
      await writeFile(file('secret'), simulated.app_secret);
      const files = ['--access-token-file', file('token'), '--app-secret-file', file('secret')];
      await parley('number', 'connect', slug, ...files);
    },
  });
  step('number.changed', 'number set-default', () => [made.number!]);
  steps.push({
    action: 'number.changed',
    command: 'number verify',
    // The command has no address that the network can call.
    run: () => runHere('number', 'verify', slug, made.number!, '--take-over'),
  });
  step('number.disconnected', 'number disconnect', () => [made.number!]);
  return steps;
}

test('everything that an owner changes in the dashboard leaves one entry, without a secret', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop, 'owner', 'Olga');
  const steps = dashboardSteps(shop, owner);
  const { userId: actor_id, email: actor_email } = owner;
  await runSteps(shop, steps, { actor_kind: 'member', actor_id, actor_name: 'Olga', actor_email });
  const all = JSON.stringify(await entriesOf(shop));
  for (const secret of secrets) expect(all).not.toContain(secret);

  const routes = new Set(steps.map(({ route }) => route));
  const writes = [...apiRules, ...dashboardRules]
    .filter(({ method }) => method !== 'GET')
    .map(({ method, path }) => `${method} ${path}`);
  expect(
    writes.filter((route) => !routes.has(route) && !Object.hasOwn(quietRoutes, route)),
  ).toEqual([]);
});

test('everything that the operator changes with a command leaves one entry, without a secret', async () => {
  const shop = await app.tenant();
  const folder = await mkdtemp(join(tmpdir(), 'parley-audit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  await writeFile(join(folder, 'key'), 'correct horse battery staple');
  await syncTemplates(app.services, shop.id);
  await shop.call('POST', '/contacts', { firstname: 'Ada', phone: '+14155550123' });
  const steps = commandSteps(shop, folder);
  await runSteps(shop, steps, { actor_kind: 'operator', actor_id: '', actor_name: null });

  const created = await parley('tenant', 'create', 'bakery', '--plan', 'pro');
  expect(await entriesOf(created.tenant)).toMatchObject([
    { action: 'tenant.created', actor_kind: 'operator', subject_name: 'bakery' },
  ]);
  const all = JSON.stringify(await entriesOf(shop));
  for (const secret of secrets) expect(all).not.toContain(secret);

  const audited = new Set([
    ...steps.map(({ command }) => command),
    'tenant create',
    // Tested in move-tenant.test.ts and tenant-files.test.ts.
    'tenant move',
    'tenant import',
    'master-key change',
  ]);
  const commands = leavesOf(await createProgram());
  const unknown = commands.filter((each) => !audited.has(each) && !quietCommands.includes(each));
  expect(unknown).toEqual([]);

  const inDashboard = dashboardSteps(shop, {} as TestMember);
  const tried = new Set([...inDashboard, ...steps].map(({ action }) => action));
  expect(allAuditActions.filter((action) => !tried.has(action))).toEqual([
    // Tested by themselves, the moves in move-tenant.test.ts and the encryption in master-key.test.ts.
    'tenant.created',
    'tenant.imported',
    'tenant.moving',
    'tenant.move_cancelled',
    'tenant.moved',
    'tenant.reencrypted',
    'member.joined',
    'member.reset',
  ]);
});

/** Lists the words of all commands. */
function leavesOf(command: Command, words: string[] = []): string[] {
  if (command.commands.length === 0) return [words.join(' ')];
  return command.commands.flatMap((each) => leavesOf(each, [...words, each.name()]));
}

test('a person who joins, or whose password the operator resets, leaves an entry', async () => {
  const shop = await app.tenant();
  const open = async () => {
    const { url } = await parley('member', 'add', shop.slug, 'bo@example.com');
    const secret = new URL(url).hash.slice(1);
    const password = 'a wholly new password';
    const given = { secret, password, name: 'Bo' };
    expect((await post(app, '/auth/invitation/accept', given)).status).toBe(200);
  };
  await open();
  await open();
  const [reset, invited, joined] = await entriesOf(shop);
  const bo = {
    actor_kind: 'member',
    actor_email: 'bo@example.com',
    subject_name: 'bo@example.com',
  };
  expect(joined).toMatchObject({ action: 'member.joined', ...bo });
  expect(invited).toMatchObject({ action: 'member.invited', actor_kind: 'operator' });
  expect(reset).toMatchObject({ action: 'member.reset', ...bo });
});

test('a change through the API names its token, and what changes nothing leaves no entry', async () => {
  const shop = await app.tenant();
  const { id } = (await shop.call('POST', '/groups', { name: 'VIP' })).body.data;
  await shop.call('DELETE', `/groups/${id}`);
  await shop.call('DELETE', `/groups/${id}`);
  const [entry, ...rest] = await entriesOf(shop);
  expect(entry).toMatchObject({
    action: 'label.deleted',
    actor_kind: 'token',
    actor_id: String(shop.tokenId),
    actor_name: 'test',
    subject_name: 'VIP',
  });
  expect(rest.map(({ action }) => action)).not.toContain('label.deleted');
  await parley('tenant', 'set-plan', shop.slug, 'enterprise');
  expect(await entriesOf(shop)).toEqual([entry, ...rest]);
});

test('entries are deleted after the retention time', async () => {
  const shop = await app.tenant();
  const old = await entriesOf(shop);
  expect(old.length).toBeGreaterThan(0);
  await app.moveClock(399 * dayMs);
  await pruneAudit(app.services);
  expect(await entriesOf(shop)).toEqual(old);
  await app.moveClock(2 * dayMs);
  await pruneAudit(app.services);
  expect(await entriesOf(shop)).toEqual([]);
});

test('owners read the log in pages, by person and by kind; staff and other tenants do not', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop, 'owner', 'Olga');
  const staff = await signIn(app, shop, 'staff');
  const stranger = await signIn(app, await app.tenant());
  for (let minutes = 1; minutes <= 60; minutes++) {
    await owner.call('PUT', '/request-bodies', { minutes });
  }
  const all = await entriesOf(shop);
  const read = async (query: string) => (await owner.call('GET', `/audit${query}`)).body.data;
  const first = await read('');
  const second = await read(`?after=${first.after}`);
  expect(second.after).toBe(null);
  const ids = [...first.entries, ...second.entries].map(({ id }) => id);
  expect(ids).toEqual(all.map(({ id }) => id));
  expect(first.entries[0]).toMatchObject({
    action: 'tenant.changed',
    actor: { kind: 'member', id: owner.userId, name: 'Olga', email: owner.email },
    changes: [{ field: 'log_bodies_until', after: expect.any(String) }],
  });

  const { actors } = (await owner.call('GET', '/audit/actors')).body.data;
  expect(actors.map(({ kind }: { kind: string }) => kind)).toEqual(['member', 'system']);
  const bySystem = await read('?actor=system');
  expect(bySystem.entries).toHaveLength(all.length - 60);
  expect(await read('?actor=system&kind=token')).toMatchObject({
    entries: [{ action: 'token.created' }],
    after: null,
  });
  const byOwner = await read(`?actor=member:${owner.userId}`);
  expect(byOwner.entries).toHaveLength(50);
  for (const query of ['?kind=tokens', '?actor=somebody', `?kind=token&after=${first.after}`]) {
    expect((await owner.call('GET', `/audit${query}`)).status, query).toBe(422);
  }
  for (const path of ['/audit', '/audit/actors']) {
    expect((await staff.call('GET', path)).status).toBe(403);
    expect((await stranger.call('GET', path, undefined, shop.slug)).status).toBe(404);
  }
});

test('the list and its filters read an index in order, however long the log is', async () => {
  const shop = await app.tenant();
  await app.db.query(sql`
    insert into audit_entries (tenant_id, at, actor_kind, actor_id, action)
    select ${shop.id}, now() - n * interval '1 minute', 'member', n % 50,
           (array['token.revoked', 'webhook.changed'])[1 + n % 2]
    from generate_series(1, 20000) as n`);
  await app.db.query(sql`analyze audit_entries`);
  const filters: EntryFilter[] = [
    {},
    { since: new Date(Date.now() - dayMs), until: new Date() },
    { kind: 'token' },
    { actor: { kind: 'member', id: '7' } },
  ];
  for (const filter of filters) {
    const { text, values } = await statementOf((db) =>
      listEntries(db, shop.id, filter, { limit: 50 }),
    );
    const { rows } = await app.db.pool.query(`explain ${text}`, values);
    const plan = rows.map((row) => row['QUERY PLAN']).join('\n');
    expect(plan, JSON.stringify(filter)).toContain('Index Scan Backward');
    expect(plan, JSON.stringify(filter)).not.toContain('Sort');
  }
});

test('a file that is only checked, or cannot be read, leaves no entry of an import', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const before = await entriesOf(shop);
  const path = `/dashboard-api/${shop.slug}/contacts/imports?filename=people.csv&check=only`;
  const csv = 'phone,firstname\n+14155550123,Ada\n';
  const headers = { ...sameOrigin, cookie: owner.cookie, 'content-type': 'text/csv' };
  expect((await call(app, 'POST', path, csv, headers)).status).toBe(200);
  const folder = await mkdtemp(join(tmpdir(), 'parley-audit-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const file = join(folder, 'people.csv');
  await expect(parley('contact', 'import', shop.slug, file)).rejects.toThrow();
  await writeFile(file, csv);
  await parley('contact', 'import', shop.slug, file, '--check');
  expect(await entriesOf(shop)).toEqual(before);
});
