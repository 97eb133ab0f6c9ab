import { PassThrough } from 'node:stream';
import { beforeEach, expect, onTestFinished, test, vi } from 'vitest';
import { testApp } from '../../test/program/app.ts';
import { buildApp } from '../app.ts';
import type { Config } from '../config.ts';
import { createLog } from '../platform/log.ts';

const app = testApp();
const lines = new PassThrough();
const log = createLog('info', lines);
beforeEach(() => {
  lines.read();
});

/** Asks an app with a request log, and returns the lines that it logged. */
async function loggedBy(requestLog: Config['requestLog'], url: string, headers = {}) {
  const { config } = app.services;
  const logging = await buildApp({ ...app.services, log, config: { ...config, requestLog } });
  const response = await logging.inject({ url, headers });
  await logging.close();
  const logged = String(lines.read() ?? '').trim();
  return {
    response,
    logged: logged === '' ? [] : logged.split('\n').map((line) => JSON.parse(line)),
  };
}

test('a request is one line, without its path, query and headers', async () => {
  const { slug, token } = await app.tenant();
  const headers = { authorization: `Bearer ${token}` };
  const url = `/api/${slug}/messages/secret-of-a-customer`;
  const { response, logged } = await loggedBy('all', url, headers);
  expect(logged).toEqual([
    {
      level: 30,
      time: expect.any(String),
      reqId: response.headers['x-request-id'],
      method: 'GET',
      route: '/api/:tenant/messages/*',
      tenant: slug,
      status: 404,
      ms: expect.any(Number),
      msg: 'request',
    },
  ]);
  expect(JSON.stringify(logged)).not.toMatch(`secret-of-a-customer|${token}`);
  expect((await loggedBy('all', '/nowhere/secret')).logged).toMatchObject([{ route: 'none' }]);
});

test('nothing is logged by default, nor a success if only errors are', async () => {
  expect((await loggedBy('off', '/healthz')).logged).toEqual([]);
  expect((await loggedBy('errors', '/healthz')).logged).toEqual([]);
});

test('a share of the requests is logged', async () => {
  const random = vi.spyOn(Math, 'random');
  onTestFinished(() => random.mockRestore());
  random.mockReturnValue(0.0099);
  expect((await loggedBy({ percent: 1 }, '/healthz')).logged).toMatchObject([{ status: 200 }]);
  random.mockReturnValue(0.01);
  expect((await loggedBy({ percent: 1 }, '/healthz')).logged).toEqual([]);
});
