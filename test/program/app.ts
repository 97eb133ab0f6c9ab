import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { FastifyInstance, InjectOptions } from 'fastify';
import type pg from 'pg';
import { afterAll, beforeAll } from 'vitest';
import { buildApp } from '../../src/app.ts';
import { type Config, readConfig } from '../../src/config.ts';
import type { NumberRow } from '../../src/numbers/queries.ts';
import { phonePage } from '../../src/phone-page.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { createLog, type Log } from '../../src/platform/log.ts';
import { createServices, type Services } from '../../src/services.ts';
import { type Simulator, startSimulator } from '../../src/simulator/start-simulator.ts';
import { createTenant } from '../../src/tenants/create-tenant.ts';
import { createToken } from '../../src/tenants/tokens/create-token.ts';
import { checkPlans } from '../checks/check-plans.ts';
import { checkResponses } from '../checks/check-responses.ts';
import { checkTenants } from '../checks/check-tenants.ts';
import { moveDatabaseClock, type TestDatabase } from '../database/database.ts';
import { checkSettings } from '../database/every-connection.ts';
import { takeDatabase } from '../database/shared-databases.ts';
import { connectTestNumber, control, misbehave } from '../servers/control.ts';
import { createTestClock, type TestClock } from './clock.ts';

export type TestApp = {
  app: FastifyInstance;
  services: Services;
  db: Database;
  clock: TestClock;
  /** Moves the time of this process and of the database, and so of every process of the service. */
  moveClock(ms: number): Promise<void>;
  /** Sets how far that time is ahead of the real time. */
  setClock(offsetMs: number): Promise<void>;
  simulator: Simulator;
  /** For another process of the same service. */
  connection: pg.PoolConfig;
  masterKey: Buffer;
  /** The URL on which the app receives callbacks of the simulator: plain HTTP on loopback. */
  url: string;
  /** Creates a tenant with an active token of every ability and a simulated number. */
  tenant(options?: TenantOptions): Promise<TestTenant>;
};

type TenantOptions = {
  plan?: string;
  abilities?: string[];
  number?: boolean;
  /** Whether the network reports a moment after a message was sent that it was delivered. By default it never does. */
  delivers?: boolean;
};

export type TestTenant = {
  id: number;
  slug: string;
  token: string;
  tokenId: number;
  number: NumberRow;
  /** Makes an API call as this tenant. The path starts after `/api/{tenant}`. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
  ): Promise<TestResponse>;
};

export type TestResponse = {
  status: number;
  headers: Record<string, string | number | string[] | undefined>;
  // biome-ignore lint/suspicious/noExplicitAny: tests read responses of every shape
  body: any;
};

/**
 * Starts the real app on a real database and a real simulator for the test file, and closes them after it.
 *
 * @param settings environment variables in addition to the tests' own
 * @param log receives the app's log lines; by default they are discarded
 */
export function testApp(settings: Record<string, string> = {}, log?: Log): TestApp {
  const test = {} as TestApp;
  checkResponses();
  let close = async () => {};

  beforeAll(async () => {
    const { apiReadTimeoutMs: api, dashboardReadTimeoutMs: dashboard } = readConfig(settings);
    const database = await takeDatabase({ api, dashboard });
    close = await openTestApp(test, { database, settings, log });
  });
  afterAll(() => close());
  return test;
}

/**
 * Starts the app on a database of the caller.
 *
 * @param test is filled in
 * @returns closes the app and drops the database
 */
export async function openTestApp(
  test: TestApp,
  {
    database,
    masterKey = randomBytes(32),
    settings = {},
    log,
  }: {
    database: TestDatabase;
    masterKey?: Buffer;
    settings?: Record<string, string>;
    log?: Log | undefined;
  },
): Promise<() => Promise<void>> {
  const simulator = await startSimulator({ page: phonePage });
  // A status that arrives unasked, shortly after a send, could change a message between two reads that a test compares.
  await control({ simulator }, 'POST', '/simulator/behaviour', { skipDelivered: true });
  const clock = createTestClock();
  const dataDir = await mkdtemp(join(tmpdir(), 'parley-test-'));
  const config: Config = readConfig({
    PARLEY_DATA_DIR: dataDir,
    PARLEY_NETWORK_URL: simulator.url,
    PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8',
    PARLEY_LOG_LEVEL: 'silent',
    PARLEY_MESSAGES_PER_SECOND: '0',
    ...settings,
  });
  const services = createServices({
    config,
    db: database.db,
    masterKeys: [masterKey],
    log: log ?? createLog(config.logLevel),
    clock,
    simulatorUrl: simulator.url,
  });
  const app = await buildApp(services);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const { connection, db } = database;
  Object.assign(test, { app, services, db, clock, simulator, connection, masterKey, url });
  test.setClock = async (offsetMs) => {
    await moveDatabaseClock(db, offsetMs);
    clock.offsetMs = offsetMs;
  };
  test.moveClock = (ms) => test.setClock(clock.offsetMs + ms);
  test.tenant = (options) => createTestTenant(test, options);
  return async () => {
    // An open connection that a test has left behind would keep the app running for more than a minute.
    await simulator.close();
    app.server.closeAllConnections();
    await app.close();
    await services.network.close();
    await services.outbound.close();
    await services.files.close();
    await services.storage.close();
    await rm(dataDir, { recursive: true, force: true });
    await checkPlans(database.db, database.statements)
      .then(() => checkSettings(database.db))
      .then(() => checkTenants(database.db, database.statements.texts))
      .finally(() => database.drop());
  };
}

let tenantCount = 0;

async function createTestTenant(
  test: TestApp,
  { plan = 'enterprise', abilities = ['all'], number = true, delivers = false }: TenantOptions = {},
): Promise<TestTenant> {
  const { db, config } = test.services;
  const slug = `shop-${++tenantCount}`;
  const tenant = await createTenant(db, { slug, plan, cell: config.cell });
  const { value: token, token: row } = await createToken(db, tenant.id, {
    name: 'test',
    abilities,
    active: true,
  });
  const shop: TestTenant = {
    id: tenant.id,
    slug,
    token,
    tokenId: row.id,
    number: (number ? await connectTestNumber(test, tenant.id) : undefined) as NumberRow,
    call: (method, path, body, headers) =>
      call(test, method, `/api/${slug}${path}`, body, {
        authorization: `Bearer ${token}`,
        ...headers,
      }),
  };
  if (delivers) await misbehave(test, shop, { skipDelivered: false });
  return shop;
}

/** The settings with which another process, or the command, uses the app's database. */
export function databaseSettings({ connection, masterKey }: TestApp) {
  const { user, password, host, port, database } = connection;
  return {
    DATABASE_URL: `postgres://${user}:${password}@/${database}?host=${host}&port=${port}`,
    PARLEY_MASTER_KEY: masterKey.toString('base64'),
  };
}

/** Injects any request into the app. A string or buffer body is sent as it is. */
export async function call(
  test: TestApp,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const raw = typeof body === 'string' || Buffer.isBuffer(body);
  const response = await test.app.inject({
    method: method as NonNullable<InjectOptions['method']>,
    url: path,
    headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
    payload: body === undefined ? undefined : raw ? body : JSON.stringify(body),
  });
  const isJson = method !== 'HEAD' && String(response.headers['content-type']).includes('json');
  return {
    status: response.statusCode,
    headers: response.headers,
    body: isJson ? response.json() : response.body,
  };
}
