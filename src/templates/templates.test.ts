import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { pino } from 'pino';
import sql from 'sql-template-tag';
import { expect, onTestFinished, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { signIn } from '../../test/features/sign-in.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { testCommand } from '../../test/program/command.ts';
import { connectTestNumber, control } from '../../test/servers/control.ts';
import { templateCommands } from '../cli/commands/template.ts';
import { insertArrival } from '../moving/move-queries.ts';
import { claimDueCheck } from '../numbers/checking/queries.ts';
import { disconnectNumber } from '../numbers/connecting/disconnect-number.ts';
import { createNumberFinder } from '../numbers/find-number.ts';
import { listNumbers, type NumberRow } from '../numbers/queries.ts';
import { refreshNumber } from '../numbers/refresh-number.ts';
import { setNumberProblem } from '../numbers/state/problem-queries.ts';
import { recordStateChanges } from '../numbers/state/record-state-changes.ts';
import { fault } from '../platform/errors/fault.ts';
import { startWorkers } from '../workers.ts';
import { applyTemplateReports } from './syncing/apply-template-reports.ts';
import { requestTemplateSync, retrySeconds } from './syncing/request-template-sync.ts';
import { syncDueTemplates } from './syncing/sync-due-templates.ts';
import { claimDueSync, scheduleNextSync } from './syncing/sync-queries.ts';
import { syncTemplates } from './syncing/sync-templates.ts';

const app = testApp();
const { run } = testCommand(app, templateCommands);

async function approvedNames(shop: TestTenant): Promise<string[]> {
  const { body } = await shop.call('GET', '/templates');
  return body.data.map((each: { name: string; language: string }) =>
    [each.name, each.language].join(' '),
  );
}

/** Adds a template to the tenant's account at the network. */
function put(shop: TestTenant, template: object) {
  return control(app, 'POST', '/simulator/templates', {
    business_account_id: shop.number.business_account_id,
    language: 'en',
    components: [{ type: 'BODY', text: 'Nothing to fill in.' }],
    ...template,
  });
}

test('only the approved templates are listed, with the fields of the contract', async () => {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  const { status, body } = await shop.call('GET', '/templates');
  expect(status).toBe(200);
  expect(body.success).toBe(true);
  const components = body.data.flatMap((each: { components: object[] }) => each.components);
  expect(components).toContainEqual(expect.objectContaining({ type: 'BUTTONS', text: '' }));
  for (const component of components) expect(component).toHaveProperty('text', expect.any(String));
  const update = body.data.find(
    (each: { name: string; language: string }) =>
      each.name === 'order_update' && each.language === 'en',
  );
  expect(update).toEqual({
    id: expect.any(Number),
    name: 'order_update',
    language: 'en',
    status: 'APPROVED',
    category: 'UTILITY',
    fields: expect.any(Array),
    components: [
      {
        type: 'BODY',
        text: 'Hello {{1}}, your order {{2}} has left our warehouse and should reach you on {{3}}.',
        example: { body_text: [['Amina', '#1042', 'Friday']] },
      },
      { type: 'FOOTER', text: 'Reply to this message for help' },
    ],
  });
  expect(body.data.map((each: { status: string }) => each.status)).not.toContain('PENDING');
  expect(await approvedNames(shop)).not.toContain('winter_sale en');
});

test('a sync reads every page, keeps ids, and deletes templates that the network no longer lists', async () => {
  const shop = await app.tenant();
  for (let index = 0; index < 130; index++) await put(shop, { name: `page_${index}` });
  const progress: number[] = [];
  const onTemplates = (templates: number) => progress.push(templates);
  const counts = await syncTemplates(app.services, shop.id, { onTemplates });
  expect(counts.templates).toBeGreaterThan(135);
  expect(progress).toEqual([100, counts.templates]);
  const before = await shop.call('GET', '/templates');
  expect(before.body.data.length).toBe(counts.approved);

  const { access_token: token } = await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: shop.number.phone_number_id,
  });
  const account = shop.number.business_account_id;
  await fetch(`${app.simulator.url}/v25.0/${account}/message_templates?name=page_7`, {
    method: 'DELETE',
    headers: { authorization: `Bearer ${token}` },
  });
  await put(shop, { name: 'page_8', status: 'PAUSED' });
  await syncTemplates(app.services, shop.id);
  const after = await approvedNames(shop);
  expect(after).not.toContain('page_7 en');
  expect(after).not.toContain('page_8 en');
  const idOf = (list: { name: string; id: number }[]) =>
    list.find((each) => each.name === 'page_9')?.id;
  expect(idOf((await shop.call('GET', '/templates')).body.data)).toBe(idOf(before.body.data));
});

test('the dashboard and the command show why the network rejected a template, until it is approved', async () => {
  const shop = await app.tenant();
  const owner = await signIn(app, shop);
  const setStatus = (name: string, status: string, reason: string) =>
    control(app, 'PATCH', '/simulator/templates', {
      business_account_id: shop.number.business_account_id,
      name,
      status,
      reason,
    });
  const reasonsOf = async (...names: string[]) => {
    await syncTemplates(app.services, shop.id);
    const { body } = await owner.call('GET', '/template-overview');
    type Listed = { name: string; rejected_reason: string | null };
    return names.map(
      (name) => body.data.templates.find((each: Listed) => each.name === name).rejected_reason,
    );
  };
  expect(await reasonsOf('hello_world', 'free_money')).toEqual([null, 'SCAM']);
  await setStatus('hello_world', 'REJECTED', 'INVALID_FORMAT');
  await setStatus('free_money', 'APPROVED', 'NONE');
  expect(await reasonsOf('hello_world', 'free_money')).toEqual(['INVALID_FORMAT', null]);
  const listed = await run('list', shop.slug);
  expect(listed).toMatch(/^hello_world .* REJECTED .* INVALID_FORMAT$/m);
  expect(listed).toMatch(/^free_money .* APPROVED +MARKETING$/m);
});

test('a list that was stored while the clock was ahead is replaced by the next one', async () => {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  const template = { business_account_id: shop.number.business_account_id, name: 'hello_world' };
  await control(app, 'PATCH', '/simulator/templates', {
    ...template,
    language: 'en_US',
    status: 'PAUSED',
  });
  await app.db.query(sql`
    update templates set listed_at = now() + interval '1 year', status = 'APPROVED'
    where tenant_id = ${shop.id}`);
  await app.db.query(sql`
    insert into templates (tenant_id, business_account_id, network_id, name, language, status, category,
                           parameter_format, components, listed_at)
    select tenant_id, business_account_id, '1', 'gone', language, status, category, parameter_format,
           components, listed_at
    from templates where tenant_id = ${shop.id} limit 1`);
  await syncTemplates(app.services, shop.id);
  const { rows } = await app.db.query<{ name: string; status: string }>(sql`
    select name, status from templates
    where tenant_id = ${shop.id} and name in ('hello_world', 'gone') and language = 'en_US'`);
  expect(rows).toEqual([{ name: 'hello_world', status: 'PAUSED' }]);
});

test('syncs and checks that were scheduled while the clock was ahead are due, after those that are due anyway', async () => {
  const shop = await app.tenant();
  const late = sql`now() + interval '1 year'`;
  await app.db.query(sql`update template_syncs set due_at = now() + interval '1 hour'`);
  await app.db.query(sql`update numbers set check_due_at = now() + interval '1 hour'`);
  await app.db.query(sql`update template_syncs set due_at = ${late} where tenant_id = ${shop.id}`);
  await app.db.query(sql`update numbers set check_due_at = ${late} where tenant_id = ${shop.id}`);
  expect((await claimDueSync(app.db, 60))?.tenant_id).toBe(shop.id);
  expect((await claimDueCheck(app.db, 86_400))?.tenant_id).toBe(shop.id);
  expect(await claimDueSync(app.db, 60)).toBe(undefined);
  expect(await claimDueCheck(app.db, 86_400)).toBe(undefined);
});

test('the copy of a tenant that has moved to another cell is not synced, and reports no states of its numbers', async () => {
  const shop = await app.tenant();
  await app.db.query(sql`update template_syncs set due_at = now() + interval '1 hour'`);
  await insertArrival(app.db, shop.id, { id: 1, otherCell: 'two' });
  await app.db.query(sql`update numbers set known_state = 'works' where tenant_id = ${shop.id}`);
  for (const due of [sql`now()`, sql`now() + interval '1 year'`]) {
    await app.db.query(sql`update template_syncs set due_at = ${due} where tenant_id = ${shop.id}`);
    expect(await claimDueSync(app.db, 60)).toBe(undefined);
  }
  await recordStateChanges(app.db, 60);
  const { rows } = await app.db.query(sql`
    select known_state from numbers where tenant_id = ${shop.id}`);
  expect(rows).toEqual([{ known_state: 'works' }]);
  await app.db.query(sql`delete from tenant_moves where tenant_id = ${shop.id}`);
});

test('a text that cannot be stored unchanged does not affect other templates of the account', async () => {
  const shop = await app.tenant();
  const example = { body_text: [['half of a sign \ud83d', 'no\0thing']] };
  await put(shop, { name: 'odd', components: [{ type: 'BODY', text: 'Odd\ud83d', example }] });
  await syncTemplates(app.services, shop.id);
  const { body } = await shop.call('GET', '/templates');
  expect(body.data.length).toBeGreaterThan(1);
  expect(body.data.find(({ name }: { name: string }) => name === 'odd').components).toMatchObject([
    { type: 'BODY', text: 'Odd\ufffd' },
  ]);
});

/** The problems of a tenant's numbers. */
async function problemsOf(shop: TestTenant): Promise<(string | null)[]> {
  return (await listNumbers(app.db, shop.id)).map(({ problem }) => problem);
}

function setToken({ phone_number_id }: NumberRow, access_token: string) {
  return control(app, 'POST', '/simulator/numbers', { phone_number_id, access_token });
}

const refusedToken =
  'The network refused the access token of this number: Invalid OAuth access token';

test('a refused access token fails the sync with a clear message, and is the number’s problem until it is accepted again', async () => {
  const shop = await app.tenant();
  const { access_token: token } = await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: shop.number.phone_number_id,
  });
  await setToken(shop.number, 'EAAchanged');
  await expect(syncTemplates(app.services, shop.id)).rejects.toThrow(refusedToken);
  expect(await problemsOf(shop)).toEqual([expect.stringContaining(refusedToken)]);
  await setToken(shop.number, token);
  await syncTemplates(app.services, shop.id);
  expect(await problemsOf(shop)).toEqual([null]);

  // A sync does not clear a problem that only a send can have.
  await setNumberProblem(
    app.db,
    shop.id,
    shop.number.id,
    fault('for_a_test', 'The number is not registered.'),
  );
  await syncTemplates(app.services, shop.id);
  expect(await problemsOf(shop)).toEqual(['The number is not registered.']);
});

test('a number whose access token is refused does not keep another number of its account from syncing', async () => {
  const shop = await app.tenant();
  const second = await connectTestNumber(app, shop.id);
  const { business_account_id } = shop.number;
  await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: second.phone_number_id,
    business_account_id,
  });
  await app.db.pool.query('update numbers set business_account_id = $2 where tenant_id = $1', [
    shop.id,
    business_account_id,
  ]);
  await setToken(second, 'EAAchanged');
  await syncTemplates(app.services, shop.id).catch(() => {});
  const { templates } = await syncTemplates(app.services, shop.id);
  expect(templates).toBeGreaterThan(0);
  expect(await problemsOf(shop)).toEqual([null, expect.stringContaining(refusedToken)]);

  // It does not matter which number has the problem.
  await setToken(shop.number, 'EAAchanged');
  await expect(syncTemplates(app.services, shop.id)).rejects.toThrow(refusedToken);
  expect(await problemsOf(shop)).toEqual([
    expect.stringContaining(refusedToken),
    expect.stringContaining(refusedToken),
  ]);
});

test('an account that refuses to list its templates does not affect another account', async () => {
  const shop = await app.tenant();
  const second = await connectTestNumber(app, shop.id);
  await control(app, 'POST', '/simulator/numbers', {
    phone_number_id: shop.number.phone_number_id,
    access_token: 'EAAchanged',
  });
  await expect(syncTemplates(app.services, shop.id)).rejects.toThrow('Invalid OAuth access token');
  const { rows } = await app.db.pool.query(
    'select distinct business_account_id from templates where tenant_id = $1',
    [shop.id],
  );
  expect(rows).toEqual([{ business_account_id: second.business_account_id }]);
});

test('a due sync of a tenant whose number is disconnected logs no warning', async () => {
  const shop = await app.tenant();
  await syncDueTemplates(app.services);
  await disconnectNumber(app.db, shop.id, shop.number.phone_number_id);
  await requestTemplateSync(app.db, shop.id);
  const log = pino({ level: 'warn' }, { write: (line) => expect.fail(line) });
  await syncDueTemplates({ ...app.services, log });
});

test('a list with repeating cursors ends in a clear error, and templates that it did not include stay', async () => {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  const before = await approvedNames(shop);
  const template = { id: '1', language: 'en', status: 'APPROVED', components: [] };
  let requests = 0;
  const network = createServer((_request, response) => {
    const cursors = { after: `after ${++requests % 3}` };
    const data = requests === 1 ? [{ ...template, name: 'first_of_many' }] : [];
    response.end(JSON.stringify({ data, paging: { cursors, next: 'https://localhost/next' } }));
  }).listen(0);
  onTestFinished(() => void network.close());
  await once(network, 'listening');
  const networkUrl = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
  await expect(syncTemplates({ ...app.services, networkUrl }, shop.id)).rejects.toThrow(
    "The network's list of templates has no end",
  );
  expect(requests).toBe(4);
  expect((await approvedNames(shop)).toSorted()).toEqual(
    [...before, 'first_of_many en'].toSorted(),
  );
});

test('a sync that is interrupted by a shutdown is soon due again, and records no problem', async () => {
  const shop = await app.tenant();
  await syncDueTemplates(app.services);
  await requestTemplateSync(app.db, shop.id);
  const asked = Promise.withResolvers<ServerResponse>();
  const network = createServer((_request, response) => asked.resolve(response)).listen(0);
  onTestFinished(() => void network.close());
  await once(network, 'listening');
  const networkUrl = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
  const log = pino({ level: 'warn' }, { write: (line) => expect.fail(line) });
  let isStopping = false;
  const synced = syncDueTemplates({ ...app.services, networkUrl, log }, () => isStopping);
  const response = await asked.promise;
  isStopping = true;
  response.destroy();
  await synced;
  const { rows } = await app.db.query(sql`
    select problem, due_at < now() + interval '5 minutes' as is_soon from template_syncs
    where tenant_id = ${shop.id}`);
  expect(rows).toEqual([{ problem: null, is_soon: true }]);
});

test('the templates of a new number are fetched in the background', async () => {
  const shop = await app.tenant();
  const stop = startWorkers(app.services);
  try {
    await eventually(async () => (await approvedNames(shop)).includes('order_update ur'));
  } finally {
    await stop();
  }
});

test('a reported status applies immediately, and the list is fetched soon', async () => {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  expect(await approvedNames(shop)).toContain('order_update en');
  await app.moveClock(60_000);
  await put(shop, { name: 'made_meanwhile' });
  await control(app, 'PATCH', '/simulator/templates', {
    business_account_id: shop.number.business_account_id,
    name: 'order_update',
    language: 'en',
    status: 'PAUSED',
  });
  await eventually(async () => !(await approvedNames(shop)).includes('order_update en'));
  expect(await approvedNames(shop)).toContain('order_update ur');
  const sent = await shop.call('POST', '/messages/template', {
    phone_number: '+14155550123',
    template_name: 'order_update',
    template_language: 'en',
  });
  expect(sent.body.errors.template_name[0]).toMatch(
    /the template has en \(PAUSED\), ur \(APPROVED\)/,
  );

  const stop = startWorkers(app.services);
  try {
    await eventually(async () => (await approvedNames(shop)).includes('made_meanwhile en'));
  } finally {
    await stop();
  }
});

test('a refusal because of a changed template requests a sync', async () => {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  // Paused without a callback.
  const { phone_number_id } = shop.number;
  await control(app, 'POST', '/simulator/behaviour', { phone_number_id, callbacks: false });
  await put(shop, { name: 'hello_world', language: 'en_US', status: 'PAUSED' });
  const hello = {
    phone_number: '+14155550123',
    template_name: 'hello_world',
    template_language: 'en_US',
  };
  const sent = await shop.call('POST', '/messages/template', hello);
  expect(sent.status).toBe(422);
  expect(sent.body.errors.template_name[0]).toMatch(/is paused/);
  await app.moveClock(60_000);
  await syncDueTemplates(app.services);
  expect(await approvedNames(shop)).not.toContain('hello_world en_US');
});

test('refusals and callbacks cause one sync a minute, also while one is under way or fails', async () => {
  const shop = await app.tenant();
  const dueInSeconds = async () => {
    await applyTemplateReports(app.db, shop.id, []);
    const { rows } = await app.db.query<{ seconds: number }>(sql`
      select extract(epoch from due_at - now())::float8 as seconds
      from template_syncs where tenant_id = ${shop.id}`);
    return rows[0]!.seconds;
  };
  await syncDueTemplates(app.services);
  expect(await dueInSeconds()).toBeGreaterThan(30);
  await app.moveClock(61_000);
  // Callbacks of other tests may have requested syncs of their tenants, too.
  const claimed = await eventually(async () => {
    const next = await claimDueSync(app.db, retrySeconds);
    return next?.tenant_id === shop.id && next;
  });
  const whileUnderWay = await dueInSeconds();
  expect(whileUnderWay).toBeGreaterThan(30);
  // It is done once more after that, and requests do not postpone it.
  await scheduleNextSync(app.db, claimed, { seconds: 3_600, secondsIdle: 3_600 });
  await app.moveClock(61_000);
  expect(await dueInSeconds()).toBeLessThanOrEqual(0);
});

test('a refusal stays the response if no sync can be requested', async () => {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  await put(shop, { name: 'hello_world', language: 'en_US', status: 'PAUSED' });
  const alter = (change: string) => app.db.pool.query(`alter table template_syncs ${change}`);
  await alter(`add constraint none check (tenant_id <> ${shop.id}) not valid`);
  onTestFinished(async () => {
    await alter('drop constraint none');
  });
  const sent = await shop.call('POST', '/messages/template', {
    phone_number: '+14155550123',
    template_name: 'hello_world',
    template_language: 'en_US',
  });
  expect([sent.status, sent.body.code]).toEqual([422, 'network_refused']);
});

test('the throughput of a number is stored, and reset when the network lowers it', async () => {
  const shop = await app.tenant();
  const perSecond = async () => {
    const numbers = createNumberFinder(app.services);
    return (await numbers.defaultNumber(shop.id))!.messagesPerSecond;
  };
  // The simulator has no upgraded numbers.
  let level = 'HIGH';
  const network = createServer((_, response) =>
    response.end(JSON.stringify({ throughput: { level } })),
  );
  await new Promise<void>((resolve) => network.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void network.close());
  const { port } = network.address() as AddressInfo;
  const refresh = async () => {
    const number = (await createNumberFinder(app.services).defaultNumber(shop.id))!;
    await refreshNumber(app.services, { ...number, networkUrl: `http://127.0.0.1:${port}` });
  };
  await syncTemplates(app.services, shop.id);
  expect(await perSecond()).toBeNull();
  await refresh();
  expect(await perSecond()).toBe(1_000);
  // This network does not return the phone, so it stays.
  const [number] = await createNumberFinder(app.services).connected(shop.id);
  expect(number!.displayPhoneNumber).toBe(shop.number.display_phone_number);
  level = 'SOMETHING_NEW';
  await refresh();
  expect(await perSecond()).toBe(1_000);
  await syncTemplates(app.services, shop.id);
  expect(await perSecond()).toBeNull();
});

test('a report cannot change the templates of another account', async () => {
  const [shop, other] = [await app.tenant(), await app.tenant()];
  for (const each of [shop, other]) await syncTemplates(app.services, each.id);
  await applyTemplateReports(app.db, other.id, [
    {
      businessAccountId: shop.number.business_account_id,
      name: 'order_update',
      language: 'en',
      status: 'DISABLED',
    },
  ]);
  expect(await approvedNames(shop)).toContain('order_update en');
  expect(await approvedNames(other)).toContain('order_update en');
});

test('of numbers in two accounts, each lists the templates of its own', async () => {
  const shop = await app.tenant();
  const second = await connectTestNumber(app, shop.id);
  await control(app, 'POST', '/simulator/templates', {
    business_account_id: second.business_account_id,
    name: 'only_there',
    language: 'en',
    components: [{ type: 'BODY', text: 'Hello' }],
  });
  await syncTemplates(app.services, shop.id);
  const hasIt = async (query: string) => {
    const { status, body } = await shop.call('GET', `/templates${query}`);
    expect(status).toBe(200);
    return body.data.some(({ name }: { name: string }) => name === 'only_there');
  };
  const phone = encodeURIComponent(second.display_phone_number!.replace(/[^+\d]/g, ''));
  expect(await hasIt('')).toBe(false);
  expect(await hasIt(`?number=${shop.number.phone_number_id}`)).toBe(false);
  expect(await hasIt(`?number=${second.phone_number_id}`)).toBe(true);
  expect(await hasIt(`?number=${phone}`)).toBe(true);

  const { number: stranger } = await app.tenant();
  const connected = ['is not a connected number of this tenant'];
  for (const [query, errors] of [
    [`number=${stranger.phone_number_id}`, { number: connected }],
    ['number=15550000', { number: connected }],
    ['number=', { number: ['must not be empty'] }],
    ['numbers=1', { numbers: ['is not a parameter of this list, which takes number'] }],
  ] as const) {
    const { status, body } = await shop.call('GET', `/templates?${query}`);
    expect([query, status, body.errors]).toEqual([query, 422, errors]);
  }
});

test('another tenant sees none of the templates, and a token needs the ability', async () => {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  const other = await app.tenant({ number: false });
  expect((await other.call('GET', '/templates')).body.data).toEqual([]);
  const sender = await app.tenant({ abilities: ['messages:text'] });
  expect((await sender.call('GET', '/templates')).status).toBe(403);
  const stranger = await shop.call('GET', '/templates', undefined, { authorization: 'Bearer x' });
  expect(stranger.status).toBe(401);
});
