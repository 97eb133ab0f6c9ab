import fc from 'fast-check';
import { pageHeaders } from '../browser-session.ts';
import { inParallel } from '../client.ts';
import { draw, hostileSegment, mutated } from '../hostile-values.ts';
import { dashboardRules } from '../permissions.ts';
import type { Attack } from './campaign.ts';

/** Valid bodies of the dashboard's own routes, as starting points for mutations. */
const bodies: Record<string, object> = {
  '/tokens': { name: 'shop', abilities: ['contacts:read'], expires_at: null },
  '/contacts/assign': { contact_ids: [1], status_id: 1 },
  '/contacts/delete': { contact_ids: [999_999_999] },
  '/contacts/bulk': { action: 'assign', search: 'nobody', status_id: 1 },
  '/bots': { kind: 'message', name: 'Hours', match: 'exact', keywords: ['hours'], reply: '9 to 5' },
  '/bots/:id': { name: 'Hours', reply: '{{name|you}}' },
  '/bots/try': { text: 'hours', is_first: false },
  '/stores': { platform: 'woocommerce', name: 'Shop', country: 'GB' },
  '/stores/:id/preview': { topic: 'order.created', event_id: 1 },
  '/stores/:id/test': { topic: 'order.created' },
  '/stores/:id/topics/:topic': { contact: { mode: 'none' }, template: null },
  '/webhook': { on: true, url: 'https://example.com/', events: ['contact.created'] },
  '/webhook/redeliver': { ids: [1] },
  '/inbound-settings': { create_contacts: true },
  '/region': { locale: 'en-GB', time_zone: null },
  '/api-settings': { api_enabled: true },
  '/members/invitations': { email: 'ana@example.com', role: 'staff' },
  '/messages/send': { phone_number: '+14155550123', type: 'text', message: 'Hello' },
  '/contacts': { firstname: 'Ada', phone: '+14155550199' },
};

/** Requests that would end the attacker's own access, and streams that never end. */
const leftOut = new Set([
  'GET /live',
  'PUT /api-settings',
  'POST /tokens/:id/revoke',
  'DELETE /numbers/:id',
  'DELETE /members/:user_id',
  'PUT /members/:user_id',
  'PUT /webhook',
]);

/** Sends mutated requests to every route of the dashboard, signed in as an owner. */
export async function attackDashboard(attack: Attack): Promise<void> {
  const { scene, client, inputs, seed, width } = attack;
  const { attacker, victim, url } = scene;
  const rules = dashboardRules.filter(({ method, path }) => !leftOut.has(`${method} ${path}`));
  const shots = fc
    .record({
      rule: fc.constantFrom(...rules),
      id: fc.oneof(
        { weight: 2, arbitrary: fc.integer({ min: 1, max: 60 }).map(String) },
        { weight: 1, arbitrary: hostileSegment },
      ),
      query: fc.dictionary(
        fc.constantFrom('before', 'phone', 'search', 'page', 'days', 'filename', 'state'),
        hostileSegment,
        { maxKeys: 2 },
      ),
    })
    .chain(({ rule, id, query }) => {
      const search = new URLSearchParams(query).toString();
      const path = rule.path
        .replace(':topic', 'order.created')
        .replaceAll(/:\w+/g, () => id || '0');
      const valid = bodies[rule.path];
      const body: fc.Arbitrary<string | undefined> =
        rule.method === 'GET' || rule.method === 'DELETE'
          ? fc.constant(undefined)
          : mutated(valid ?? {});
      return body.map((text) => ({
        method: rule.method,
        path: `/dashboard-api/${attacker.slug}${path}${search && `?${search}`}`,
        body: text,
      }));
    });
  const part = 500;
  for (let first = 0; first < inputs; first += part) {
    const drawn = draw(shots, Math.min(part, inputs - first), seed + first);
    await inParallel(drawn.length, width, (index) => {
      const { body, ...shot } = drawn[index]!;
      const headers = pageHeaders(url, attacker.owner);
      if (body === undefined) delete headers['content-type'];
      return client.send({
        campaign: 'dashboard requests',
        ...shot,
        headers,
        ...(body === undefined ? {} : { body }),
        forbidden: victim.canaries,
      });
    });
  }
}
