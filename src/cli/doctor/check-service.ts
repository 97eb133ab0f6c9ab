import { request } from 'node:https';
import { type Config, publicUrl } from '../../config.ts';
import { errorLine } from '../command.ts';
import type { Check } from './check.ts';

const withinMs = 5_000;

/** Asks the service on this machine whether it serves. Its certificate has a check of its own. */
export async function checkService({ host, port }: Config): Promise<Check> {
  const url = `${publicUrl({ baseUrl: '', host, port })}/readyz`;
  const result = { name: 'service', mayBeIntended: true } as const;
  const fix = 'If it should run, see `systemctl status parley` and `journalctl -u parley`.';
  try {
    const status = await statusOf(url);
    const ok = status === 200;
    const found = ok ? `${url} responds` : `${url} says that it is not ready (HTTP ${status})`;
    return { ...result, ok, found, fix };
  } catch (error) {
    return { ...result, ok: false, found: `${url} does not respond: ${errorLine(error)}`, fix };
  }
}

function statusOf(url: string): Promise<number | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
  const options = { rejectUnauthorized: false, signal: AbortSignal.timeout(withinMs) };
  const asking = request(url, options, (response) => {
    response.resume();
    resolve(response.statusCode);
  });
  asking.on('error', reject).end();
  return promise;
}
