import { isIP } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isNetwork } from './platform/networks.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A century; PostgreSQL cannot go back further than the year -4713. */
const mostDaysKept = 36_500;
const longestWaitMs = 600_000;
/** 30 days: what goes out later is of no use to its receiver. */
const longestDelaySeconds = 2_592_000;
const mostTries = 100;

/**
 * Every setting: its default as one would write it in the environment, one line of documentation,
 * and how its text is read. `parse` throws the end of a sentence that begins with the name.
 */
const settings = {
  port: setting('PARLEY_PORT', '8443', 'TCP port of the API and the dashboard.', port),
  host: setting(
    'PARLEY_HOST',
    '127.0.0.1',
    'Address to listen on; 0.0.0.0 for every interface.',
    address,
  ),
  dataDir: setting(
    'PARLEY_DATA_DIR',
    join(root, 'data'),
    'Folder for the embedded database, the certificates and the master key.',
    text,
  ),
  baseUrl: setting(
    'PARLEY_BASE_URL',
    '',
    'Address by which others reach this service, such as https://parley.example.com; made of host and port when empty.',
    httpsOrigin,
  ),
  tlsCert: setting(
    'PARLEY_TLS_CERT',
    '',
    'PEM file with the certificate chain; a local one is made when empty.',
    text,
  ),
  tlsKey: setting('PARLEY_TLS_KEY', '', 'PEM file with the key of PARLEY_TLS_CERT.', text),
  trustedProxies: setting(
    'PARLEY_TRUSTED_PROXIES',
    '',
    'Networks of proxies that end TLS in front of Parley, comma-separated CIDR.',
    networks,
  ),
  maxConnections: setting(
    'PARLEY_MAX_CONNECTIONS',
    '10000',
    'How many connections a process serves at once on PARLEY_PORT; never more than three quarters of the files it may open.',
    wholeNumber(1, 1_000_000),
  ),
  maxConnectionsPerAddress: setting(
    'PARLEY_MAX_CONNECTIONS_PER_ADDRESS',
    '500',
    'How many of them may come from one client address, or one /64 of IPv6; trusted proxies are exempt.',
    wholeNumber(1, 1_000_000),
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    'PostgreSQL 15 or newer to use in place of the embedded one.',
    postgresUrl,
  ),
  databaseConnections: setting(
    'PARLEY_DATABASE_CONNECTIONS',
    '10',
    'Most connections of one process for everything but batched statements.',
    wholeNumber(1, 1_000),
  ),
  masterKey: setting(
    'PARLEY_MASTER_KEY',
    '',
    'Base64 of the 32 bytes that encrypt secrets at rest; made and kept in the data folder when empty.',
    masterKey,
  ),
  networkUrl: setting(
    'PARLEY_NETWORK_URL',
    'https://graph.facebook.com',
    'Base address of the Graph API.',
    url,
  ),
  networkVersion: setting(
    'PARLEY_NETWORK_VERSION',
    'v25.0',
    'Version of the Graph API.',
    graphVersion,
  ),
  networkTimeoutMs: setting(
    'PARLEY_NETWORK_TIMEOUT_MS',
    '20000',
    'How long a send may wait for the network, in milliseconds; after that its outcome is unknown.',
    wholeNumber(1, longestWaitMs),
  ),
  messagesPerSecond: setting(
    'PARLEY_MESSAGES_PER_SECOND',
    '80',
    'Messages a second that a WhatsApp number sends where the network grants it no more; 0 leaves pacing to the network.',
    wholeNumber(0, 100_000),
  ),
  simulatorPort: setting(
    'PARLEY_SIMULATOR_PORT',
    '8480',
    'TCP port of the simulator that `parley demo` starts.',
    port,
  ),
  allowPrivateAddresses: setting(
    'PARLEY_ALLOW_PRIVATE_ADDRESSES',
    '',
    'Networks that outbound HTTP may reach besides public addresses, comma-separated CIDR.',
    networks,
  ),
  webhookScheduleSeconds: setting(
    'PARLEY_WEBHOOK_SCHEDULE',
    '0,5,300,1800,7200,18000,36000,50400,72000,86400',
    'Delay before each try of a webhook delivery, comma-separated seconds.',
    seconds,
  ),
  webhookTimeoutMs: setting(
    'PARLEY_WEBHOOK_TIMEOUT_MS',
    '15000',
    'How long a webhook receiver may take to answer, in milliseconds.',
    wholeNumber(1, longestWaitMs),
  ),
  messageRetentionDays: setting(
    'PARLEY_MESSAGE_RETENTION_DAYS',
    '0',
    'How long messages are kept, in days; 0 for as long as their contact.',
    wholeNumber(0, mostDaysKept),
  ),
  deliveryRetentionDays: setting(
    'PARLEY_DELIVERY_RETENTION_DAYS',
    '30',
    'How long webhook deliveries and their attempts are kept, in days.',
    wholeNumber(1, mostDaysKept),
  ),
  contactReadRetentionDays: setting(
    'PARLEY_CONTACT_READ_RETENTION_DAYS',
    '1',
    'How long contact.read events that were delivered are kept, in days.',
    wholeNumber(1, mostDaysKept),
  ),
  deliveryQuotaWaiting: setting(
    'PARLEY_DELIVERY_QUOTA_WAITING',
    '1000000',
    'How many deliveries of one tenant may wait. Beyond that, contact.read events are dropped; beyond twice as many, the webhook is switched off.',
    wholeNumber(1, 100_000_000),
  ),
  deliveryQuotaMegabytes: setting(
    'PARLEY_DELIVERY_QUOTA_MB',
    '1000',
    'How many MB of events are kept for one tenant. Beyond that, finished deliveries are removed early; if those that wait alone take more, it is as with PARLEY_DELIVERY_QUOTA_WAITING.',
    wholeNumber(1, 1_000_000),
  ),
  storeRetrySeconds: setting(
    'PARLEY_STORE_SCHEDULE',
    '10,60,600,3600,21600',
    'Delay before each further try of a store event that failed, comma-separated seconds.',
    seconds,
  ),
  storeEventsPerSecond: setting(
    'PARLEY_STORE_EVENTS_PER_SECOND',
    '40',
    'How many store events of one tenant a process takes up in a second; what is more waits.',
    wholeNumber(1, 100_000),
  ),
  storeEventRetentionDays: setting(
    'PARLEY_STORE_EVENT_RETENTION_DAYS',
    '30',
    'How long the posts of stores are kept, in days.',
    wholeNumber(1, mostDaysKept),
  ),
  botAnswerRetentionDays: setting(
    'PARLEY_BOT_ANSWER_RETENTION_DAYS',
    '30',
    'How long the log of what bots answered is kept, in days.',
    wholeNumber(1, mostDaysKept),
  ),
  roles: setting(
    'PARLEY_ROLES',
    'api,workers',
    'What this process does: api, workers, or both.',
    roles,
  ),
  processes: setting(
    'PARLEY_PROCESSES',
    '1',
    'How many processes serve; more than one pays only with more than two cores.',
    wholeNumber(1, 256),
  ),
  metricsPort: setting(
    'PARLEY_METRICS_PORT',
    '',
    'TCP port of /metrics (Prometheus) and /health, plain HTTP for your own machines; none when empty. Each further process takes the next.',
    portOrNone,
  ),
  metricsHost: setting(
    'PARLEY_METRICS_HOST',
    '127.0.0.1',
    'Address to listen on for PARLEY_METRICS_PORT.',
    address,
  ),
  logLevel: setting(
    'PARLEY_LOG_LEVEL',
    'info',
    'fatal, error, warn, info, debug or trace.',
    logLevel,
  ),
} as const;

export type Config = {
  [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['parse']>;
};

/** All that is wrong with the settings, one line each. */
export class ConfigError extends Error {
  readonly problems: string[];

  constructor(problems: string[]) {
    super(
      `The settings have ${problems.length === 1 ? 'a problem' : 'problems'}:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
    );
    this.problems = problems;
  }
}

/**
 * Reads every setting and reports every problem at once.
 *
 * @param overrides defaults that a command sets in place of the general ones
 * @throws ConfigError
 */
export function readConfig(
  environment: Record<string, string | undefined> = process.env,
  overrides: Partial<Record<keyof Config, string>> = {},
): Config {
  const problems: string[] = [];
  const config: Record<string, unknown> = {};
  for (const [name, { variable, fallback, parse }] of Object.entries(settings)) {
    const value = environment[variable]?.trim() || (overrides[name as keyof Config] ?? fallback);
    try {
      config[name] = parse(value);
    } catch (error) {
      const isSecret =
        variable.includes('KEY') || variable === 'DATABASE_URL' || value.includes('@');
      problems.push(
        `${variable} ${(error as Error).message}; it is ${isSecret ? 'not shown here' : `"${value}"`}.`,
      );
    }
  }
  if (Boolean(config.tlsCert) !== Boolean(config.tlsKey)) {
    problems.push('PARLEY_TLS_CERT and PARLEY_TLS_KEY must be set together.');
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config as Config;
}

/** The address by which others reach this service: loopback by its name, as its certificate does. */
export function publicUrl({ baseUrl, host, port }: Pick<Config, 'baseUrl' | 'host' | 'port'>) {
  if (baseUrl) return baseUrl;
  const name = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  return `https://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Variables that look like ours and are none: most likely a slip of the pen. */
export function unknownSettings(environment: Record<string, string | undefined> = process.env) {
  const known = new Set<string>(Object.values(settings).map(({ variable }) => variable));
  return Object.keys(environment).filter((name) => name.startsWith('PARLEY_') && !known.has(name));
}

/** The text of `.env.example`: every setting with its documentation and default. */
export function describeSettings(): string {
  const entries = Object.values(settings).map(({ variable, fallback, documentation }) => {
    const shown = fallback.startsWith(root) ? fallback.slice(root.length) : fallback;
    return `# ${documentation}\n# ${variable}=${shown}\n`;
  });
  return `# The settings of Parley and their defaults. Written by \`npm run settings\`; do not edit.\n\n${entries.join('\n')}`;
}

function setting<Value>(
  variable: string,
  fallback: string,
  documentation: string,
  parse: (value: string) => Value,
) {
  return { variable, fallback, documentation, parse };
}

function text(value: string): string {
  return value;
}

function port(value: string): number {
  if (!/^\d{1,5}$/.test(value) || Number(value) > 65_535) fail('must be a port, 0 to 65535');
  return Number(value);
}

function portOrNone(value: string): number | undefined {
  return value ? port(value) : undefined;
}

function wholeNumber(least: number, most: number) {
  return (value: string): number => {
    const isWithin = /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most;
    if (!isWithin) fail(`must be a whole number from ${least} to ${most}`);
    return Number(value);
  };
}

function address(value: string): string {
  if (!isIP(value) && value !== 'localhost') fail('must be an IP address');
  return value;
}

function url(value: string): string {
  const parsed = URL.parse(value);
  const isHttp = parsed && /^https?:$/.test(parsed.protocol);
  if (!isHttp || parsed.username || parsed.password || /[?#]/.test(value)) {
    fail('must be an http:// or https:// address of a host, without user, query and fragment');
  }
  let end = value.length;
  while (value[end - 1] === '/') end--;
  return value.slice(0, end);
}

/** Nothing after the host: paths of the API and the dashboard begin there. */
function httpsOrigin(value: string): string {
  if (!value) return value;
  const parsed = URL.parse(value);
  if (parsed?.protocol !== 'https:' || parsed.href !== `${parsed.origin}/`) {
    fail('must be an https:// address of a host, such as https://parley.example.com, and no more');
  }
  return parsed.origin;
}

function postgresUrl(value: string): string {
  if (value && !/^postgres(ql)?:\/\//.test(value)) fail('must start with postgres://');
  // The driver checks the certificate in full for each of these, and warns of that in eight lines.
  if (/[?&]uselibpqcompat=/.test(value)) return value;
  return value.replace(/([?&]sslmode=)(prefer|require|verify-ca)(?![^&])/, '$1verify-full');
}

function networks(value: string): string[] {
  const list = value
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean);
  const wrong = list.find((entry) => !isNetwork(entry));
  if (wrong !== undefined) {
    fail(`must be a comma-separated list of networks such as 10.0.0.0/8 ("${wrong}" is none)`);
  }
  return list;
}

function seconds(value: string): number[] {
  const list = value.split(',').map((entry) => entry.trim());
  const isRight = (entry: string) =>
    /^\d{1,7}(\.\d{1,3})?$/.test(entry) && Number(entry) <= longestDelaySeconds;
  if (list.length > mostTries || !list.every(isRight)) {
    fail(
      `must be a comma-separated list of up to ${mostTries} delays in seconds, none longer than ${longestDelaySeconds}`,
    );
  }
  return list.map(Number);
}

function roles(value: string): ('api' | 'workers')[] {
  const list = value.split(',').map((entry) => entry.trim());
  if (!list.every((role) => role === 'api' || role === 'workers')) {
    fail('must be api, workers, or both with a comma');
  }
  return list as ('api' | 'workers')[];
}

function masterKey(value: string): Buffer | undefined {
  if (!value) return undefined;
  const key = Buffer.from(value, 'base64');
  if (key.length !== 32) fail('must be the base64 of 32 bytes (openssl rand -base64 32)');
  return key;
}

function graphVersion(value: string): string {
  if (!/^v\d+\.\d+$/.test(value)) fail('must look like v25.0');
  return value;
}

function logLevel(value: string): string {
  if (!['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'].includes(value)) {
    fail('must be fatal, error, warn, info, debug or trace');
  }
  return value;
}

function fail(message: string): never {
  throw new Error(message);
}
