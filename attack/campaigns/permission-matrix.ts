import { createToken } from '../../src/tenants/tokens/create-token.ts';
import { pageHeaders } from '../browser-session.ts';
import { createClient, inParallel } from '../client.ts';
import { apiRules, concrete, dashboardRules } from '../permissions.ts';
import type { Attack } from './campaign.ts';

const campaign = 'permission matrix';

/**
 * Tries every token, every session, and no credentials on every route. A caller without the right must get
 * 401, 403 or 404; a caller with the right must not. A wrong cell is a breach.
 */
export async function attackPermissions(attack: Attack): Promise<void> {
  await tokensByAbility(attack);
  await strangers(attack);
  await sessionsByRole(attack);
}

/** Tries one token for each ability on every operation. */
async function tokensByAbility({ scene, client, tally, width }: Attack): Promise<void> {
  const { attacker, services, victim } = scene;
  const abilities = [...new Set(apiRules.flatMap(({ right }) => right))];
  await inParallel(abilities.length, width, async (index) => {
    const ability = abilities[index]!;
    const options = { name: ability, abilities: [ability], active: true };
    const { value } = await createToken(services.db, attacker.id, options);
    for (const { method, path, right } of apiRules) {
      const output = await client.send({
        campaign,
        method,
        path: `/api/${attacker.slug}${concrete(path)}`,
        ...withBody(method, { authorization: `Bearer ${value}` }),
        forbidden: victim.canaries,
      });
      const isAllowed = right.includes(ability);
      const isRight = isAllowed
        ? output !== undefined && ![401, 403].includes(output.status)
        : output?.status === 403;
      if (!isRight) {
        const detail = `${ability}: ${method} ${path} > ${output?.status}`;
        tally.fault({ kind: 'breach', campaign, detail });
      }
    }
  });
}

/** Tries the attacker's credentials, and none, on the victim's tenant. */
async function strangers({ scene, tally, width }: Attack): Promise<void> {
  const { attacker, victim, url } = scene;
  const credentials: Record<string, Record<string, string>> = {
    'no credentials': {},
    'a token of another tenant': { authorization: `Bearer ${attacker.tokens[0]}` },
    'a session of another tenant': pageHeaders(url, attacker.owner),
    'the own session from another origin': {
      ...pageHeaders(url, victim.owner),
      origin: 'https://evil.example',
      'sec-fetch-site': 'cross-site',
    },
    'the own session without an origin': { cookie: victim.owner },
  };
  const targets = [
    ...apiRules.map((rule) => ({ ...rule, path: `/api/${victim.slug}${rule.path}` })),
    ...dashboardRules
      .filter(({ path }) => path !== '/live')
      .map((rule) => ({ ...rule, path: `/dashboard-api/${victim.slug}${rule.path}` })),
  ];
  for (const [index, [who, headers]] of Object.entries(credentials).entries()) {
    // Each has its own address, because an address that failed too often would only get 429.
    const client = createClient(url, tally, `127.0.2.${index + 2}`);
    const isOwnSession = who.startsWith('the own session');
    await inParallel(targets.length, width, async (target) => {
      const { method, path } = targets[target]!;
      // A page of another origin may start a GET, but the browser does not let it read the response.
      if (isOwnSession && (method === 'GET' || path.startsWith('/api/'))) return;
      const output = await client.send({
        campaign,
        method,
        path: concrete(path),
        ...withBody(method, headers),
        forbidden: victim.canaries,
      });
      if (output === undefined || ![401, 403, 404].includes(output.status)) {
        const detail = `${who}: ${method} ${path} > ${output?.status}`;
        tally.fault({ kind: 'breach', campaign, detail });
      }
    });
    await client.close();
  }
}

/** Tries staff on every route, and sessions on the API. */
async function sessionsByRole({ scene, client, tally }: Attack): Promise<void> {
  const { attacker, victim, url } = scene;
  for (const { method, path, right } of dashboardRules) {
    if (path === '/live') continue;
    const output = await client.send({
      campaign,
      method,
      path: `/dashboard-api/${attacker.slug}${concrete(path)}`,
      ...withBody(method, pageHeaders(url, attacker.staff)),
      forbidden: victim.canaries,
    });
    // This route exists only in a demo.
    const isMissing = path === '/numbers/simulated' && output?.status === 404;
    const isRefused = output?.status === 403;
    if (output === undefined || (!isMissing && isRefused !== (right === 'owner'))) {
      const detail = `staff: ${method} ${path} > ${output?.status}`;
      tally.fault({ kind: 'breach', campaign, detail });
    }
  }
  for (const { method, path } of apiRules) {
    const output = await client.send({
      campaign,
      method,
      path: `/api/${attacker.slug}${concrete(path)}`,
      ...withBody(method, pageHeaders(url, attacker.owner)),
    });
    if (output?.status !== 401) {
      const detail = `a session on the API: ${method} ${path} > ${output?.status}`;
      tally.fault({ kind: 'breach', campaign, detail });
    }
  }
}

function withBody(method: string, headers: Record<string, string>) {
  if (method === 'GET' || method === 'DELETE') {
    const { 'content-type': _, ...others } = headers;
    return { headers: others };
  }
  return { headers: { 'content-type': 'application/json', ...headers }, body: '{}' };
}
