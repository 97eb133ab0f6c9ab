import { isIP } from 'node:net';
import { parseMasterKeys } from '../platform/secrets/master-key.ts';
import { isNetwork } from '../platform/values/networks.ts';

/** 30 days. A delivery after that is of no use to its receiver. */
const maxDelaySeconds = 2_592_000;
const maxTries = 100;

// Each parser reads the text of a setting. It throws the end of a sentence that begins with the setting's
// name.

export function text(value: string): string {
  return value;
}

export function port(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) fail('must be a port, 0 to 65535');
  return Number(value);
}

export function portOrNone(value: string): number | undefined {
  return value ? port(value) : undefined;
}

export function yesOrNo(value: string): boolean {
  if (value !== 'yes' && value !== 'no') fail('must be yes or no');
  return value === 'yes';
}

export function wholeNumber(min: number, max: number) {
  return (value: string): number => {
    const isWithin = /^\d{1,9}$/.test(value) && Number(value) >= min && Number(value) <= max;
    if (!isWithin) fail(`must be a whole number from ${min} to ${max}`);
    return Number(value);
  };
}

export function address(value: string): string {
  if (!isIP(value) && value !== 'localhost') fail('must be an IP address');
  return value;
}

export function url(value: string): string {
  const parsed = URL.parse(value);
  const isHttp = parsed && /^https?:$/.test(parsed.protocol);
  if (!isHttp || parsed.username || parsed.password || /[?#]/.test(value)) {
    fail('must be an http:// or https:// address of a host, without user, query and fragment');
  }
  let end = value.length;
  while (value[end - 1] === '/') end--;
  return value.slice(0, end);
}

export function urlOrNone(value: string): string {
  return value && url(value);
}

/** The paths of the API and the dashboard start right after the host. */
export function httpsOrigin(value: string): string {
  if (!value) return value;
  const parsed = URL.parse(value);
  if (parsed?.protocol !== 'https:' || parsed.href !== `${parsed.origin}/`) {
    fail('must be an https:// address of a host, such as https://parley.example.com, and no more');
  }
  return parsed.origin;
}

export function postgresUrl(value: string): string {
  if (value && !/^postgres(ql)?:\/\//.test(value)) fail('must start with postgres://');
  if (hasSeveralHosts(value)) {
    fail(
      'must name one host. To use several servers, name a TCP proxy that leads to the leader: docs/high-availability.md',
    );
  }
  // The driver treats all of these as `verify-full`, and prints a warning of eight lines.
  if (/[?&]uselibpqcompat=/.test(value)) return value;
  return value.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?![^&])/, '$1verify-full');
}

/** Whether an address has a list of hosts, as libpq accepts it. A password may contain commas. */
function hasSeveralHosts(url: string): boolean {
  const [, server = '', query = ''] = /^[a-z]+:\/\/([^/?#]*)[^?#]*\??([^#]*)/.exec(url) ?? [];
  const hosts = server.slice(server.lastIndexOf('@') + 1).split(',');
  const isList = hosts.every((host) => /^(\[[\da-f:.]+\]|[\w.-]+)(:\d*)?$/i.test(host));
  return (isList && hosts.length > 1) || /(^|&)host=[^&]*(,|%2C)/i.test(query);
}

export function networks(value: string): string[] {
  const list = value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  const wrong = list.find((entry) => !isNetwork(entry));
  if (wrong !== undefined) {
    fail(
      `must be a comma-separated list of CIDR ranges such as 10.0.0.0/8, which "${wrong}" is not`,
    );
  }
  return list;
}

export function seconds(value: string): number[] {
  const list = value.split(',').map((entry) => entry.trim());
  const isRight = (entry: string) =>
    /^\d{1,7}(\.\d{1,3})?$/.test(entry) && Number(entry) <= maxDelaySeconds;
  if (list.length > maxTries || !list.every(isRight)) {
    fail(
      `must be a comma-separated list of up to ${maxTries} delays in seconds, none longer than ${maxDelaySeconds}`,
    );
  }
  return list.map(Number);
}

export function roles(value: string): ('api' | 'workers')[] {
  const list = value.split(',').map((entry) => entry.trim());
  if (!list.every((role) => role === 'api' || role === 'workers')) {
    fail('must be api, workers, or both with a comma');
  }
  return list as ('api' | 'workers')[];
}

export function masterKeys(value: string): Buffer[] | undefined {
  if (!value) return undefined;
  const keys = parseMasterKeys(value);
  if (!keys) fail('must be the base64 of 32 bytes (openssl rand -base64 32)');
  return keys;
}

export function graphVersion(value: string): string {
  if (!/^v\d+\.\d+$/.test(value)) fail('must look like v25.0');
  return value;
}

export function cell(value: string): string {
  if (value && !/^[a-z][a-z0-9]{0,7}$/.test(value)) {
    fail('must be up to 8 lower-case letters and digits, beginning with a letter');
  }
  return value;
}

export function logLevel(value: string): string {
  if (!['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].includes(value)) {
    fail('must be fatal, error, warn, info, debug or trace');
  }
  return value;
}

/** `errors` are responses with 5xx. */
export function requestLog(value: string): 'off' | 'errors' | 'all' | { percent: number } {
  if (value === 'off' || value === 'errors' || value === 'all') return value;
  if (!/^([1-9]\d?|100)%$/.test(value)) {
    fail('must be off, errors, all or a percentage from 1% to 100%');
  }
  return { percent: Number.parseInt(value, 10) };
}

function fail(message: string): never {
  throw new Error(message);
}
