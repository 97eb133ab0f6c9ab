import { expect, test } from 'vitest';
import { apiRules, dashboardRules } from '../../../attack/permissions.ts';
import { rowsOfTenant } from '../../../test/features/rows-of-tenant.ts';
import { signIn } from '../../../test/features/sign-in.ts';
import { testApp } from '../../../test/program/app.ts';
import { fillInstallation } from '../../../test/upgrades/fill-installation.ts';

const app = testApp();

/** What the first parameter of each path is an id of: a query for the newest one of the tenant $1. */
const ids: Record<string, string> = {
  '/contacts/': 'select max(id) from contacts where tenant_id = $1',
  '/statuses/': 'select max(id) from statuses where tenant_id = $1',
  '/sources/': 'select max(id) from sources where tenant_id = $1',
  '/groups/': 'select max(id) from groups where tenant_id = $1',
  '/messages/': `select 'id:' || max(id) from messages where tenant_id = $1`,
  '/conversations/': `select max(person) from messages where tenant_id = $1 and person like '+%'`,
  '/media/': `select 'message-' || max(message_id) from kept_files where tenant_id = $1`,
  '/conversation/media/': 'select max(message_id) from kept_files where tenant_id = $1',
  '/requests/': 'select max(id) from api_requests where tenant_id = $1',
  '/members/invitations/': 'select max(id) from invitations where tenant_id = $1',
  '/members/': 'select max(user_id) from members where tenant_id = $1',
  '/tokens/': 'select max(id) from tokens where tenant_id = $1',
  '/contacts/bulk/': 'select max(id) from contact_bulk_changes where tenant_id = $1',
  '/contacts/imports/': 'select max(id) from contact_imports where tenant_id = $1',
  '/contact-merges/': 'select max(id) from identity_merges where tenant_id = $1',
  '/stores/': 'select max(id) from stores where tenant_id = $1',
  '/numbers/': 'select max(id) from numbers where tenant_id = $1',
  '/webhook/deliveries/': 'select max(id) from deliveries where tenant_id = $1',
  '/bots/': 'select max(id) from bots where tenant_id = $1',
};
const events = 'select max(id) from store_events where tenant_id = $1';

/** Bodies that would be accepted for a record of the own tenant. */
const bodies: Record<string, object> = {
  'PUT /contacts/:id': { firstname: 'Mallory' },
  'PUT /statuses/:id': { name: 'Mine' },
  'PUT /sources/:id': { name: 'Mine' },
  'PUT /groups/:id': { name: 'Mine' },
  'PUT /members/:user_id': { role: 'staff' },
  'PUT /stores/:id/topics/:topic': { contact: { mode: 'upsert' } },
  'PUT /stores/:id/keys': {
    authentication: { type: 'header', name: 'x-key', value: 'k'.repeat(30) },
  },
  'PUT /stores/:id': { number_id: null },
  'POST /stores/:id/preview': {
    topic: 'order.created',
    action: { contact: { mode: 'none' } },
    payload: '{}',
  },
  'POST /stores/:id/test': { topic: 'order.created' },
  'PUT /numbers/:id': { default: true },
  'PUT /bots/:id': { kind: 'message', name: 'Mine', match: 'any', reply: 'Mine' },
};

test('no route with the id of a record finds, changes or deletes that of another tenant', async () => {
  const { slug } = await fillInstallation(app);
  const { rows } = await app.db.pool.query('select id from tenants where slug = $1', [slug]);
  const find = async (query: string) => {
    const [row] = (await app.db.pool.query(query, [rows[0].id])).rows;
    return String(Object.values(row)[0]);
  };
  const rowsOfOther = async () => {
    // The usage is gathered for seconds before it is added.
    const { api_requests: _, token_usage: __, tokens, ...others } = await rowsOfTenant(app, slug);
    return { ...others, tokens: tokens!.length };
  };
  const before = await rowsOfOther();
  const stranger = await app.tenant();
  const owner = await signIn(app, stranger);
  const found: object[] = [];
  for (const [rules, send] of [
    [apiRules, stranger.call],
    [dashboardRules, owner.call],
  ] as const) {
    for (const { method, path } of rules.filter((rule) => rule.path.includes(':'))) {
      const [prefix] = path.split(':') as [string];
      const id = await find(ids[prefix] ?? `select 'nothing is known of ${path}'`);
      const concrete = path
        .replace(/:\w+/, encodeURIComponent(id))
        .replace(':event', await find(events))
        .replace(':topic', 'order.created');
      const name = `${method} ${path}`;
      const body = bodies[name] ?? (method === 'POST' || method === 'PUT' ? {} : undefined);
      const response = await send(method, concrete, body);
      const { status } = response;
      if (status !== 404) found.push({ name, concrete, status, body: response.body });
    }
  }
  expect(found).toEqual([]);
  expect(await rowsOfOther()).toEqual(before);
});
