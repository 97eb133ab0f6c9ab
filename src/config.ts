import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import * as parse from './parse-setting.ts';

const root = fileURLToPath(new URL('..', import.meta.url));

/** A century. PostgreSQL cannot go back further than the year -4713. */
const maxDaysKept = 36_500;
const maxWaitMs = 600_000;

/** Every setting: its default as in the environment, its documentation, and its parser. */
const settings = {
  port: setting('PARLEY_PORT', '8443', 'TCP port of the API and the dashboard.', parse.port),
  host: setting(
    'PARLEY_HOST',
    '127.0.0.1',
    'Address to listen on; 0.0.0.0 for every interface.',
    parse.address,
  ),
  dataDir: setting(
    'PARLEY_DATA_DIR',
    join(root, 'data'),
    'Folder for the embedded database, the certificates and the master key.',
    parse.text,
  ),
  baseUrl: setting(
    'PARLEY_BASE_URL',
    '',
    'Address by which others reach this service, such as https://parley.example.com; made of host and port when empty.',
    parse.httpsOrigin,
  ),
  tlsCert: setting(
    'PARLEY_TLS_CERT',
    '',
    'PEM file with the certificate chain; a local one is made when empty.',
    parse.text,
  ),
  tlsKey: setting('PARLEY_TLS_KEY', '', 'PEM file with the key of PARLEY_TLS_CERT.', parse.text),
  trustedProxies: setting(
    'PARLEY_TRUSTED_PROXIES',
    '',
    'Networks of proxies that end TLS in front of Parley, comma-separated CIDR.',
    parse.networks,
  ),
  maxConnections: setting(
    'PARLEY_MAX_CONNECTIONS',
    '10000',
    'How many connections a process serves at once on PARLEY_PORT; never more than three quarters of the files it may open.',
    parse.wholeNumber(1, 1_000_000),
  ),
  maxConnectionsPerAddress: setting(
    'PARLEY_MAX_CONNECTIONS_PER_ADDRESS',
    '500',
    'How many of them may come from one client address, or one /64 of IPv6; trusted proxies are exempt.',
    parse.wholeNumber(1, 1_000_000),
  ),
  databaseUrl: setting(
    'DATABASE_URL',
    '',
    'PostgreSQL 15 or newer to use in place of the embedded one.',
    parse.postgresUrl,
  ),
  databaseConnections: setting(
    'PARLEY_DATABASE_CONNECTIONS',
    '10',
    'Most connections of one process for writes and background work; reads of the API and of the dashboard have as many each, and batched statements a few.',
    parse.wholeNumber(1, 1_000),
  ),
  apiReadTimeoutMs: setting(
    'PARLEY_API_READ_TIMEOUT_MS',
    '20000',
    'How long a statement of an API request that only reads may take, in milliseconds.',
    parse.wholeNumber(1, maxWaitMs),
  ),
  dashboardReadTimeoutMs: setting(
    'PARLEY_DASHBOARD_READ_TIMEOUT_MS',
    '10000',
    'The same for pages of the dashboard.',
    parse.wholeNumber(1, maxWaitMs),
  ),
  migrateAtStart: setting(
    'PARLEY_MIGRATE_AT_START',
    'yes',
    'Whether processes and commands apply pending migrations when they start. With no, they refuse an older schema, and `parley migrate` applies them.',
    parse.yesOrNo,
  ),
  databaseWaitSeconds: setting(
    'PARLEY_DATABASE_WAIT_SECONDS',
    '60',
    'How long `parley serve` waits at its start for a database that does not respond or is a standby, in seconds; 0 does not wait.',
    parse.wholeNumber(0, 86_400),
  ),
  masterKey: setting(
    'PARLEY_MASTER_KEY',
    '',
    'Base64 of the 32 bytes that encrypt secrets at rest; made and kept in the data folder when empty.',
    parse.masterKey,
  ),
  masterKeyLost: setting(
    'PARLEY_MASTER_KEY_LOST',
    'no',
    'Set to yes to start with a master key that does not decrypt the secrets in the database, after that key was lost. Set the secrets again, then remove this.',
    parse.yesOrNo,
  ),
  cell: setting(
    'PARLEY_CELL',
    '',
    'Name of this installation if there are several: the prefix of its callback and store URLs, and the start of its tenant ids. Up to 8 lower-case letters and digits; see docs/scaling.md.',
    parse.cell,
  ),
  cellsDir: setting(
    'PARLEY_CELLS_DIR',
    '',
    'Folder with the settings of the other cells, for `parley tenant move`: eu2.env for the cell eu2; see docs/scaling.md.',
    parse.text,
  ),
  proxyMaps: setting(
    'PARLEY_PROXY_MAPS',
    '',
    'Folder with tenants.map and addresses.map of HAProxy, which `parley tenant move` changes.',
    parse.text,
  ),
  proxySocket: setting(
    'PARLEY_PROXY_SOCKET',
    '',
    'Admin socket of HAProxy, a path or host:port, by which the maps of the running one are changed.',
    parse.text,
  ),
  proxyHook: setting(
    'PARLEY_PROXY_HOOK',
    '',
    'Program that is run after a tenant has moved, with PARLEY_MOVED_TENANT and PARLEY_MOVED_TO, to reload or change another proxy.',
    parse.text,
  ),
  networkUrl: setting(
    'PARLEY_NETWORK_URL',
    'https://graph.facebook.com',
    'Base address of the Graph API.',
    parse.url,
  ),
  networkVersion: setting(
    'PARLEY_NETWORK_VERSION',
    'v25.0',
    'Version of the Graph API.',
    parse.graphVersion,
  ),
  networkTimeoutMs: setting(
    'PARLEY_NETWORK_TIMEOUT_MS',
    '20000',
    'How long a send may wait for the network, in milliseconds; after that its outcome is unknown.',
    parse.wholeNumber(1, maxWaitMs),
  ),
  messagesPerSecond: setting(
    'PARLEY_MESSAGES_PER_SECOND',
    '80',
    'Messages a second that a WhatsApp number sends where the network grants it no more; 0 leaves pacing to the network.',
    parse.wholeNumber(0, 100_000),
  ),
  silenceMinutes: setting(
    'PARLEY_NUMBER_SILENCE_MINUTES',
    '60',
    'How long nothing may be heard from WhatsApp after a number has sent, in minutes; then the number has a problem, in the dashboard, `parley doctor` and metrics.',
    parse.wholeNumber(1, 1_000_000),
  ),
  simulatorPort: setting(
    'PARLEY_SIMULATOR_PORT',
    '8480',
    'TCP port of the simulator that `parley demo` starts.',
    parse.port,
  ),
  allowPrivateAddresses: setting(
    'PARLEY_ALLOW_PRIVATE_ADDRESSES',
    '',
    'Networks that outbound HTTP may reach besides public addresses, comma-separated CIDR.',
    parse.networks,
  ),
  webhookScheduleSeconds: setting(
    'PARLEY_WEBHOOK_SCHEDULE',
    '0,5,300,1800,7200,18000,36000,50400,72000,86400',
    'Delay before each try of a webhook delivery, comma-separated seconds.',
    parse.seconds,
  ),
  webhookTimeoutMs: setting(
    'PARLEY_WEBHOOK_TIMEOUT_MS',
    '15000',
    'How long a webhook receiver may take to answer, in milliseconds.',
    parse.wholeNumber(1, maxWaitMs),
  ),
  messageRetentionDays: setting(
    'PARLEY_MESSAGE_RETENTION_DAYS',
    '0',
    'How long messages are kept, in days; 0 for as long as their contact.',
    parse.wholeNumber(0, maxDaysKept),
  ),
  deliveryRetentionDays: setting(
    'PARLEY_DELIVERY_RETENTION_DAYS',
    '30',
    'How long webhook deliveries and their attempts are kept, in days.',
    parse.wholeNumber(1, maxDaysKept),
  ),
  contactReadRetentionDays: setting(
    'PARLEY_CONTACT_READ_RETENTION_DAYS',
    '1',
    'How long contact.read events that were delivered are kept, in days.',
    parse.wholeNumber(1, maxDaysKept),
  ),
  eventRetentionDays: setting(
    'PARLEY_EVENT_RETENTION_DAYS',
    '7',
    'How long the events that `GET /events` returns are kept, in days.',
    parse.wholeNumber(1, maxDaysKept),
  ),
  deliveryQuotaWaiting: setting(
    'PARLEY_DELIVERY_QUOTA_WAITING',
    '1000000',
    'How many deliveries of one tenant may wait. Its webhook endpoints share this equally. Beyond its share, contact.read events of an endpoint are dropped; beyond twice as many, it is switched off.',
    parse.wholeNumber(1, 100_000_000),
  ),
  deliveryQuotaMegabytes: setting(
    'PARLEY_DELIVERY_QUOTA_MB',
    '1000',
    'How many MB of events are kept for one tenant, and as many again for `GET /events`. Beyond that, finished deliveries and old events are removed early; if the deliveries that wait alone take more, it is as with PARLEY_DELIVERY_QUOTA_WAITING.',
    parse.wholeNumber(1, 1_000_000),
  ),
  storeRetrySeconds: setting(
    'PARLEY_STORE_SCHEDULE',
    '10,60,600,3600,21600',
    'Delay before each further try of a store event that failed, comma-separated seconds.',
    parse.seconds,
  ),
  storeEventsPerSecond: setting(
    'PARLEY_STORE_EVENTS_PER_SECOND',
    '40',
    'How many store events of one tenant a process takes up in a second; what is more waits.',
    parse.wholeNumber(1, 100_000),
  ),
  storeEventRetentionDays: setting(
    'PARLEY_STORE_EVENT_RETENTION_DAYS',
    '30',
    'How long the posts of stores are kept, in days.',
    parse.wholeNumber(1, maxDaysKept),
  ),
  botAnswerRetentionDays: setting(
    'PARLEY_BOT_ANSWER_RETENTION_DAYS',
    '30',
    'How long the log of what bots answered is kept, in days.',
    parse.wholeNumber(1, maxDaysKept),
  ),
  mediaQuotaMegabytes: setting(
    'PARLEY_MEDIA_QUOTA_MB',
    '5000',
    'How many MB of inbound files are kept for one tenant, if it wants them kept. Beyond that, new files wait until older ones are removed, or WhatsApp forgets them.',
    parse.wholeNumber(1, 100_000_000),
  ),
  mediaMinFreeMegabytes: setting(
    'PARLEY_MEDIA_MIN_FREE_MB',
    '1000',
    'No inbound file is kept while the disk of the data folder has less space left than this, in MB.',
    parse.wholeNumber(0, 100_000_000),
  ),
  mediaBucket: setting(
    'PARLEY_MEDIA_BUCKET',
    '',
    'Address of a bucket that speaks S3, for inbound files that are kept, such as https://s3.eu-central-1.amazonaws.com/my-files; the data folder when empty.',
    parse.urlOrNone,
  ),
  mediaBucketRegion: setting(
    'PARLEY_MEDIA_BUCKET_REGION',
    'us-east-1',
    'Region of the bucket, which is part of the signature of requests.',
    parse.text,
  ),
  mediaBucketKeyId: setting(
    'PARLEY_MEDIA_BUCKET_KEY_ID',
    '',
    'Access key of the bucket. It needs the rights to get, put and delete objects.',
    parse.text,
  ),
  mediaBucketSecret: setting(
    'PARLEY_MEDIA_BUCKET_SECRET',
    '',
    'Secret of that access key.',
    parse.text,
  ),
  roles: setting(
    'PARLEY_ROLES',
    'api,workers',
    'What this process does: api, workers, or both.',
    parse.roles,
  ),
  processes: setting(
    'PARLEY_PROCESSES',
    '1',
    'How many processes serve; more than one pays only with more than two cores.',
    parse.wholeNumber(1, 256),
  ),
  drainMs: setting(
    'PARLEY_DRAIN_MS',
    '5000',
    'How long a process goes on serving after SIGTERM while /readyz reports 503, in milliseconds, so that a load balancer stops sending it requests.',
    parse.wholeNumber(0, maxWaitMs),
  ),
  stopGraceMs: setting(
    'PARLEY_STOP_GRACE_MS',
    '25000',
    'How long requests in progress may take after that, in milliseconds; a send may take PARLEY_NETWORK_TIMEOUT_MS and a few seconds.',
    parse.wholeNumber(0, maxWaitMs),
  ),
  metricsPort: setting(
    'PARLEY_METRICS_PORT',
    '',
    'TCP port of /metrics (Prometheus) and /health, plain HTTP for your own machines; none when empty. Each further process takes the next.',
    parse.portOrNone,
  ),
  metricsHost: setting(
    'PARLEY_METRICS_HOST',
    '127.0.0.1',
    'Address to listen on for PARLEY_METRICS_PORT.',
    parse.address,
  ),
  tracesUrl: setting(
    'PARLEY_TRACES_URL',
    '',
    'Base address of an OpenTelemetry collector that takes OTLP over HTTP, such as http://127.0.0.1:4318; no traces when empty.',
    parse.urlOrNone,
  ),
  tracesPercent: setting(
    'PARLEY_TRACES_PERCENT',
    '100',
    'How many of 100 traces are kept.',
    parse.wholeNumber(1, 100),
  ),
  requestLog: setting(
    'PARLEY_REQUEST_LOG',
    'off',
    'Which requests are logged, in one line each with id, route, status, duration and tenant: off, errors (5xx) or all.',
    parse.requestLog,
  ),
  logLevel: setting(
    'PARLEY_LOG_LEVEL',
    'info',
    'fatal, error, warn, info, debug or trace.',
    parse.logLevel,
  ),
} as const;

export type Config = {
  [Name in keyof typeof settings]: ReturnType<(typeof settings)[Name]['parse']>;
};

/** Every problem with the settings, one line each. */
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
 * Reads every setting and reports all problems together.
 *
 * @param overrides defaults of a command that replace the general ones
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
        /KEY|SECRET/.test(variable) || variable === 'DATABASE_URL' || value.includes('@');
      problems.push(
        `${variable} ${(error as Error).message}; it is ${isSecret ? 'not shown here' : `"${value}"`}.`,
      );
    }
  }
  if (Boolean(config.tlsCert) !== Boolean(config.tlsKey)) {
    problems.push('PARLEY_TLS_CERT and PARLEY_TLS_KEY must be set together.');
  }
  if (config.mediaBucket && !(config.mediaBucketKeyId && config.mediaBucketSecret)) {
    problems.push(
      'PARLEY_MEDIA_BUCKET needs PARLEY_MEDIA_BUCKET_KEY_ID and PARLEY_MEDIA_BUCKET_SECRET.',
    );
  }
  if (problems.length > 0) throw new ConfigError(problems);
  return config as Config;
}

/** Returns the public address of the service. Loopback is `localhost`, the name in its certificate. */
export function publicUrl({ baseUrl, host, port }: Pick<Config, 'baseUrl' | 'host' | 'port'>) {
  if (baseUrl) return baseUrl;
  const name = ['127.0.0.1', '::1', '0.0.0.0', '::'].includes(host) ? 'localhost' : host;
  return `https://${name.includes(':') ? `[${name}]` : name}:${port}`;
}

/** Lists variables that start like ours but do not exist, probably because of a typo. */
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
