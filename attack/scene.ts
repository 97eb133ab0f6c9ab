import { randomBytes } from 'node:crypto';
import { openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { openPlace } from '../bench/open-place.ts';
import { inviteMember } from '../src/members/invite-member.ts';
import { checkDueNumbers } from '../src/numbers/checking/check-due-numbers.ts';
import { connectNumber } from '../src/numbers/connecting/connect-number.ts';
import type { Services } from '../src/services.ts';
import { platformNames } from '../src/stores/platforms/platforms.ts';
import { syncTemplates } from '../src/templates/syncing/sync-templates.ts';
import { createTenant } from '../src/tenants/create-tenant.ts';
import { createToken } from '../src/tenants/tokens/create-token.ts';
import { forkProgram } from '../test/program/fork-program.ts';
import { callService, pageHeaders, signIn } from './browser-session.ts';
import type { Memory } from './target-process.ts';

/** A tenant with records of every kind, which contain texts that nobody else may ever read. */
export type Tenant = {
  id: number;
  slug: string;
  /** A text in every record of the tenant, and its secrets. */
  canaries: string[];
  /** Tokens of every ability. */
  tokens: string[];
  owner: string;
  staff: string;
  callbackPath: string;
  appSecret: string;
  phoneNumberId: string;
  stores: { platform: string; path: string; secret: string }[];
};

export type Scene = {
  url: string;
  services: Services;
  /** The tenant whose tokens, sessions and secrets the attacker has. */
  attacker: Tenant;
  /** The tenant whose data the attacker must not reach. */
  victim: Tenant;
  /** The tenant that keeps sending. */
  neighbour: Tenant;
  memory(): Promise<Memory>;
  /** Reads everything that the service has logged so far. */
  readLog(): string;
  close(): Promise<void>;
};

/**
 * Starts the service with its own PostgreSQL and a simulated network, each as real processes, and fills three
 * tenants.
 *
 * @param tokenCount the number of the attacker's tokens; each may make 600 requests a minute
 * @param isTimed whether latencies are compared
 * @param copyDatabase fills the data folder. By default a new database is created
 */
export async function setScene({
  tokenCount,
  isTimed,
  copyDatabase,
}: {
  tokenCount: number;
  isTimed: boolean;
  copyDatabase?: ((dataDir: string) => Promise<void>) | undefined;
}): Promise<Scene> {
  const closing: (() => Promise<unknown>)[] = [];
  const close = async () => {
    for (const end of closing.toReversed()) await end();
  };
  try {
    const simulator = forkProgram<{ url: string }>(
      new URL('simulator-process.ts', import.meta.url),
    );
    closing.push(() => simulator.end());
    const simulatorUrl = (await simulator.first).url;
    const place = await openPlace(
      {
        PARLEY_LOG_LEVEL: 'info',
        PARLEY_NETWORK_URL: simulatorUrl,
        PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
        PARLEY_MESSAGES_PER_SECOND: '0',
        PARLEY_PORT: '0',
      },
      { isTimed, copyDatabase },
    );
    closing.push(place.close);
    const logFile = join(place.dataDir, 'service.log');
    const target = forkProgram<{ url: string }>(new URL('target-process.ts', import.meta.url), {
      environment: place.environment,
      flags: ['--expose-gc'],
      output: openSync(logFile, 'a'),
    });
    closing.push(() => target.end());
    const url = (await target.first).url.replace('localhost', '127.0.0.1');

    const fill = (slug: string, tokens: number) =>
      fillTenant(place.services, { url, simulatorUrl, slug, tokens });
    const attacker = await fill('attacker', tokenCount);
    const victim = await fill('victim', 1);
    const neighbour = await fill('neighbour', 10);
    // The next check of the numbers, which changes what is known of them, is due in a day.
    await checkDueNumbers(place.services);
    return {
      url,
      services: place.services,
      attacker,
      victim,
      neighbour,
      memory: () => target.ask<Memory>('memory'),
      readLog: () => readFileSync(logFile, 'utf8'),
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

async function fillTenant(
  services: Services,
  {
    url,
    simulatorUrl,
    slug,
    tokens: tokenCount,
  }: { url: string; simulatorUrl: string; slug: string; tokens: number },
): Promise<Tenant> {
  const { db } = services;
  const mark = `canary-${slug}-${randomBytes(6).toString('hex')}`;
  const { id } = await createTenant(db, { slug, plan: 'enterprise' });
  const tokens: string[] = [];
  for (let each = 0; each < tokenCount; each++) {
    const options = { name: `${mark} ${each}`, abilities: ['all'], active: true };
    tokens.push((await createToken(db, id, options)).value);
  }

  const made = await makeNumber(simulatorUrl);
  const number = await connectNumber(services, id, {
    phoneNumberId: made.phone_number_id,
    businessAccountId: made.business_account_id,
    displayPhoneNumber: made.display_phone_number,
    accessToken: made.access_token,
    appSecret: made.app_secret,
  });
  await syncTemplates(services, id);

  const bearer = {
    authorization: `Bearer ${tokens[0]}`,
    'content-type': 'application/json',
  };
  const create = (path: string, body: object) =>
    callService(url, 'POST', `/api/${slug}${path}`, bearer, body);
  for (const kind of ['statuses', 'sources', 'groups']) {
    for (let each = 0; each < 3; each++) {
      await create(`/${kind}`, { name: `${mark} ${kind} ${each}`, description: mark });
    }
  }
  for (let each = 0; each < 20; each++) {
    const phone = `+1415556${String(each).padStart(4, '0')}`;
    const person = { firstname: mark, lastname: `Person ${each}`, phone, company: mark };
    await create('/contacts', person);
  }

  const invite = async (role: 'owner' | 'staff') => {
    const email = `${role}@${slug}.example`;
    const invited = await inviteMember(services, id, { email, role, byOperator: true });
    return signIn(url, invited.url, email);
  };
  const owner = await invite('owner');
  const staff = await invite('staff');
  const set = async (method: string, path: string, body: object) => {
    const headers = pageHeaders(url, owner);
    return (await callService(url, method, `/dashboard-api/${slug}${path}`, headers, body)).body;
  };
  const reply = `Thank you, {{name|friend}}. ${mark}`;
  await set('POST', '/bots', { kind: 'message', name: mark, match: 'any', reply });
  // A receiver that is down, so that the deliveries wait.
  const webhook = await set('PUT', '/webhook', {
    url: 'http://127.0.0.1:9/',
    on: true,
    events: ['contact.created', 'contact.read', 'contact.updated', 'status.created'],
  });
  const stores: Tenant['stores'] = [];
  for (const platform of platformNames) {
    const { data } = await set('POST', '/stores', { platform, name: `${mark} ${platform}` });
    stores.push({ platform, path: new URL(data.url).pathname, secret: data.secret });
  }
  return {
    id,
    slug,
    tokens,
    owner,
    staff,
    canaries: [
      mark,
      ...tokens,
      made.app_secret,
      made.access_token,
      webhook.data.secret,
      ...stores.map(({ secret }) => secret),
    ],
    callbackPath: `/whatsapp/callbacks/${number.callback_id}`,
    appSecret: made.app_secret,
    phoneNumberId: made.phone_number_id,
    stores,
  };
}

type SimulatedNumber = {
  phone_number_id: string;
  business_account_id: string;
  display_phone_number: string;
  access_token: string;
  app_secret: string;
};

/** Creates a number of the simulated network. */
async function makeNumber(simulatorUrl: string): Promise<SimulatedNumber> {
  const response = await fetch(`${simulatorUrl}/simulator/numbers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  });
  if (!response.ok) throw new Error(`the simulator refused a number: ${response.status}`);
  return (await response.json()) as SimulatedNumber;
}
