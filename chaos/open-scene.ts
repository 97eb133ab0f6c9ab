import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { openPlace } from '../bench/open-place.ts';
import { seedTenant } from '../bench/seed-tenant.ts';
import { readConfig } from '../src/config.ts';
import { connectNumber } from '../src/numbers/connecting/connect-number.ts';
import { openServices } from '../src/open-services.ts';
import { ensurePostgres } from '../src/platform/embedded-postgres/ensure-postgres.ts';
import type { Services } from '../src/services.ts';
import { startSimulator } from '../src/simulator/start-simulator.ts';
import type { SimulatedNumber } from '../src/simulator/types.ts';
import { forward } from './forward.ts';
import type { Entry } from './ledger.ts';

/** Each token may make 600 requests a minute. */
const tokenCount = 40;

const settings = {
  PARLEY_MESSAGES_PER_SECOND: '0',
  PARLEY_LOG_LEVEL: 'fatal',
  PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
};

/**
 * Starts a PostgreSQL and a simulated network, and creates a tenant that can send. The service reaches both over TCP,
 * at `databasePort` and `networkPort`.
 *
 * @param parent where the folder of the database is created
 * @param events whether the events of messages are recorded
 */
export async function openScene(parent?: string, { events = false } = {}) {
  const place = await openPlace(settings, { parent });
  const postgres = await ensurePostgres({ dataDir: place.dataDir });
  const { host, port, user, password, database } = postgres.connection;
  const databasePort = await forward({ path: `${host}/.s.PGSQL.${port}` });
  const scene = await furnish({
    ...place,
    databaseUrl: `postgres://${user}:${password}@127.0.0.1:${databasePort}/${database}`,
    async close() {
      await postgres.release();
      await place.close();
    },
    events,
  });
  return { ...scene, databasePort };
}

/** The same on a database that runs already. */
export async function openSceneOn(databaseUrl: string, dataDir: string) {
  const environment = { ...settings, DATABASE_URL: databaseUrl, PARLEY_DATA_DIR: dataDir };
  const { services, close } = await openServices(readConfig(environment), { waitMs: 60_000 });
  return furnish({ services, dataDir, environment, databaseUrl, close });
}

async function furnish({
  services,
  dataDir,
  environment,
  databaseUrl,
  events = false,
  close,
}: {
  services: Services;
  dataDir: string;
  environment: Record<string, string>;
  databaseUrl: string;
  events?: boolean;
  close(): Promise<void>;
}) {
  const simulator = await startSimulator({ port: 0 });
  const networkPort = await forward({
    host: '127.0.0.1',
    port: Number(new URL(simulator.url).port),
  });
  const control = async (path: string, body: object) => {
    const response = await fetch(`${simulator.url}/simulator/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(`simulator: ${response.status} ${await response.text()}`);
    return response.json();
  };
  const shop = await seedTenant(services, 'shop', tokenCount, { events });
  const number = (await control('numbers', {})) as SimulatedNumber;
  const connected = await connectNumber(services, shop.id, {
    phoneNumberId: number.phone_number_id,
    businessAccountId: number.business_account_id,
    displayPhoneNumber: number.display_phone_number,
    accessToken: number.access_token,
    appSecret: number.app_secret,
  });
  return {
    shop,
    services,
    networkPort,
    simulatorUrl: simulator.url,
    phoneNumberId: number.phone_number_id,
    masterKey: (await readFile(join(dataDir, 'master-key'), 'utf8')).trim(),
    environment: {
      ...environment,
      DATABASE_URL: databaseUrl,
      PARLEY_NETWORK_URL: `http://127.0.0.1:${networkPort}`,
    },
    async close() {
      await close();
      await simulator.close();
    },

    /** Lets the network report to the service. */
    async callBack(url: string): Promise<void> {
      await control('numbers', {
        phone_number_id: number.phone_number_id,
        callback_url: `${url}/whatsapp/callbacks/${connected.callback_id}`,
        verify_token: connected.verify_token,
      });
    },

    /** Changes how the network behaves; null resets a setting. */
    async behave(knobs: object): Promise<void> {
      await control('behaviour', { phone_number_id: number.phone_number_id, ...knobs });
    },

    /** Compares the responses that clients got with the messages in a database and on the network. */
    async count(entries: Entry[], { db } = services) {
      const acknowledged = entries.flatMap(({ messageId }) => messageId ?? []);
      const { rows } = await db.pool.query<{ network_id: string }>(
        'select network_id from message_states where network_id = any($1)',
        [acknowledged],
      );
      const response = await fetch(`${simulator.url}/simulator/messages?limit=1`);
      const { total } = (await response.json()) as { total: number };
      return {
        acknowledged: acknowledged.length,
        lost: acknowledged.length - rows.length,
        onNetwork: total,
      };
    },
  };
}

/** Waits until `look` returns true. */
export async function until(look: () => Promise<boolean>): Promise<void> {
  while (!(await look())) await sleep(200);
}
