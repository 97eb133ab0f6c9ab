import { join } from 'node:path';
import * as parse from './parse-setting.ts';
import { maxWaitMs, repositoryRoot, setting } from './setting.ts';

export const serviceSettings = {
  port: setting('PARLEY_PORT', '8443', 'TCP port of the API and the dashboard.', parse.port),
  host: setting(
    'PARLEY_HOST',
    '127.0.0.1',
    'Address to listen on; :: for every interface, IPv6 and IPv4.',
    parse.address,
  ),
  dataDir: setting(
    'PARLEY_DATA_DIR',
    join(repositoryRoot, 'data'),
    'Folder for the embedded database, the certificates and the master key.',
    parse.text,
  ),
  baseUrl: setting(
    'PARLEY_BASE_URL',
    '',
    'Public address of this service, such as https://parley.example.com; host and port if empty.',
    parse.httpsOrigin,
  ),
  tlsCert: setting(
    'PARLEY_TLS_CERT',
    '',
    'PEM file with the certificate chain; if empty, Parley creates a local certificate.',
    parse.text,
  ),
  tlsKey: setting('PARLEY_TLS_KEY', '', 'PEM file with the key of PARLEY_TLS_CERT.', parse.text),
  trustedProxies: setting(
    'PARLEY_TRUSTED_PROXIES',
    '',
    'CIDR ranges of the proxies that terminate TLS in front of Parley, comma-separated.',
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
    'How many connections may come from one client address, or one /64 of IPv6; trusted proxies are exempt.',
    parse.wholeNumber(1, 1_000_000),
  ),
  masterKeys: setting(
    'PARLEY_MASTER_KEY',
    '',
    'Base64 of the 32 bytes that encrypt secrets at rest; if empty, Parley generates a key and keeps it in the data folder. While the key is changed, two with a comma between them: the first encrypts, both decrypt.',
    parse.masterKeys,
  ),
  masterKeyLost: setting(
    'PARLEY_MASTER_KEY_LOST',
    'no',
    'Set to yes if the master key was lost, to start with a new one that does not decrypt the secrets in the database. Set the secrets again, then remove this.',
    parse.yesOrNo,
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
    'How many processes serve; more than one helps only on more than two cores.',
    parse.wholeNumber(1, 256),
  ),
  drainMs: setting(
    'PARLEY_DRAIN_MS',
    '5000',
    'How long a process continues to serve after SIGTERM while /readyz reports 503, in milliseconds, so that a load balancer stops sending it requests.',
    parse.wholeNumber(0, maxWaitMs),
  ),
  stopGraceMs: setting(
    'PARLEY_STOP_GRACE_MS',
    '25000',
    'How long requests in progress may take after that, in milliseconds; a send may take PARLEY_NETWORK_TIMEOUT_MS and a few seconds.',
    parse.wholeNumber(0, maxWaitMs),
  ),
};
