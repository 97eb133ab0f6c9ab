import { readFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { ConfigError, describeSettings, publicUrl, readConfig, unknownSettings } from './config.ts';

function problemsOf(environment: Record<string, string>): string[] {
  try {
    readConfig(environment);
  } catch (error) {
    if (error instanceof ConfigError) return error.problems;
    throw error;
  }
  return [];
}

describe('the settings', () => {
  test('have defaults that work', () => {
    expect(readConfig({})).toMatchObject({
      port: 8443,
      host: '127.0.0.1',
      databaseUrl: '',
      networkUrl: 'https://graph.facebook.com',
      webhookScheduleSeconds: [0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400],
      roles: ['api', 'workers'],
      processes: 1,
    });
  });

  test('give the public address of the service', () => {
    const url = (environment: Record<string, string>) => publicUrl(readConfig(environment));
    expect(url({})).toBe('https://localhost:8443');
    expect(url({ PARLEY_HOST: '0.0.0.0', PARLEY_PORT: '9000' })).toBe('https://localhost:9000');
    expect(url({ PARLEY_HOST: '10.0.0.5' })).toBe('https://10.0.0.5:8443');
    expect(url({ PARLEY_HOST: 'fd00::5' })).toBe('https://[fd00::5]:8443');
    expect(url({ PARLEY_HOST: '10.0.0.5', PARLEY_BASE_URL: 'https://parley.example.com' })).toBe(
      'https://parley.example.com',
    );
  });

  test('are parsed', () => {
    const key = Buffer.alloc(32, 7);
    expect(
      readConfig({
        PARLEY_PORT: ' 9000 ',
        PARLEY_MASTER_KEY: key.toString('base64'),
        PARLEY_ALLOW_PRIVATE_ADDRESSES: '127.0.0.0/8, ::1/128',
        PARLEY_NETWORK_URL: 'http://127.0.0.1:9999/',
        PARLEY_WEBHOOK_SCHEDULE: '0, 0.5',
        PARLEY_BASE_URL: 'https://Example.com:443/',
      }),
    ).toMatchObject({
      port: 9000,
      masterKeys: [key],
      allowPrivateAddresses: ['127.0.0.0/8', '::1/128'],
      networkUrl: 'http://127.0.0.1:9999',
      webhookScheduleSeconds: [0, 0.5],
      baseUrl: 'https://example.com',
    });
  });

  test('name a cell in up to eight lower-case letters and digits', () => {
    for (const cell of ['', 'a', 'eu1', 'frankfrt']) {
      expect(readConfig({ PARLEY_CELL: cell }).cell).toBe(cell);
    }
    for (const cell of ['EU1', '1eu', 'eu-1', 'frankfurt', 'eü1']) {
      expect(problemsOf({ PARLEY_CELL: cell })).toEqual([
        `PARLEY_CELL must be up to 8 lower-case letters and digits, beginning with a letter; it is "${cell}".`,
      ]);
    }
  });

  test('make the driver check the certificate of the database fully, without its warning', () => {
    const urlOf = (DATABASE_URL: string) => readConfig({ DATABASE_URL }).databaseUrl;
    const address = 'postgres://db.internal/parley?sslrootcert=a.pem&sslmode=';
    for (const mode of ['prefer', 'require', 'verify-ca', 'verify-full']) {
      expect(urlOf(`${address}${mode}`)).toBe(`${address}verify-full`);
      expect(urlOf(`${address}${mode}&x=1`)).toBe(`${address}verify-full&x=1`);
    }
    for (const own of [`${address}no-verify`, `${address}require&uselibpqcompat=true`]) {
      expect(urlOf(own)).toBe(own);
    }
  });

  test.each([
    ['PARLEY_PORT', '70000', /must be a port/],
    ['PARLEY_PORT', '12ab', /must be a port/],
    ['PARLEY_HOST', 'nowhere', /must be an IP address/],
    ['PARLEY_BASE_URL', 'http://example.com', /must be an https/],
    ['DATABASE_URL', 'mysql://x', /must start with postgres/],
    ['DATABASE_URL', 'postgres://x:y@h1:5432,h2:5432/db', /must name one host.*TCP proxy/],
    ['DATABASE_URL', 'postgres://x:y,z@h1,h2:5432/db', /must name one host/],
    ['DATABASE_URL', 'postgres://h1,h2', /must name one host/],
    ['DATABASE_URL', 'postgres://x:y@/db?sslmode=require&host=h1,h2', /must name one host/],
    ['PARLEY_MASTER_KEY', 'c2hvcnQ=', /base64 of 32 bytes/],
    ['PARLEY_MASTER_KEY', 'A'.repeat(44), /base64 of 32 bytes/],
    ['PARLEY_NETWORK_URL', 'graph.facebook.com', /must be an http/],
    ['PARLEY_NETWORK_VERSION', '25', /must look like v25.0/],
    ['PARLEY_ALLOW_PRIVATE_ADDRESSES', '10.0.0.0/33', /list of CIDR ranges/],
    ['PARLEY_TRUSTED_PROXIES', 'proxy', /list of CIDR ranges/],
    ['PARLEY_WEBHOOK_SCHEDULE', '5,soon', /list of up to 100 delays in seconds/],
    ['PARLEY_ROLES', 'king', /must be api, workers/],
    ['PARLEY_PROCESSES', '0', /from 1 to 256/],
    ['PARLEY_PROCESSES', '100000', /from 1 to 256/],
    ['PARLEY_DELIVERY_RETENTION_DAYS', '999999999', /from 1 to 36500/],
    ['PARLEY_STORE_EVENT_RETENTION_DAYS', '0', /from 1 to 36500/],
    ['PARLEY_AUDIT_RETENTION_DAYS', '0', /from 1 to 36500/],
    ['PARLEY_BOT_ANSWER_RETENTION_DAYS', '0', /from 1 to 36500/],
    ['PARLEY_MESSAGE_RETENTION_DAYS', '999999', /from 0 to 36500/],
    ['PARLEY_WEBHOOK_TIMEOUT_MS', '1e3', /from 1 to 600000/],
    ['PARLEY_WEBHOOK_SCHEDULE', '0,2592001', /none longer than 2592000/],
    ['PARLEY_STORE_SCHEDULE', Array(101).fill('1').join(','), /up to 100 delays/],
    ['PARLEY_BASE_URL', 'https://', /must be an https:\/\/ address of a host/],
    ['PARLEY_BASE_URL', 'https://example.com/?x', /and no more/],
    ['PARLEY_BASE_URL', 'https://example.com/#x', /and no more/],
    ['PARLEY_BASE_URL', 'https://example.com/parley', /and no more/],
    ['PARLEY_TRUSTED_PROXIES', '10.0.0.0/8/9', /which "10\.0\.0\.0\/8\/9" is not/],
    ['PARLEY_BASE_URL', 'https://ann:hush@example.com', /and no more; it is not shown here/],
    ['PARLEY_NETWORK_URL', 'https://ann:hush@example.com', /without user.*; it is not shown here/],
    ['PARLEY_NETWORK_URL', 'https://example.com?x=1', /without user, query/],
    ['PARLEY_LOG_LEVEL', 'loud', /must be fatal/],
    ['PARLEY_REQUEST_LOG', '0%', /must be off, errors, all or a percentage/],
    ['PARLEY_REQUEST_LOG', '101%', /must be off, errors, all or a percentage/],
    ['PARLEY_TLS_CERT', 'cert.pem', /must be set together/],
  ])('refuse %s=%s with a plain message', (variable, value, message) => {
    const problems = problemsOf({ [variable]: value });
    expect(problems).toHaveLength(1);
    expect(problems[0]).toMatch(message);
    expect(problems[0]).toContain(variable);
  });

  test('take a database address with commas elsewhere than in its host', () => {
    const databaseUrl = 'postgres://parley:a,b,c@db.internal:5432/a,b?options=-c%20a=b,c';
    expect(readConfig({ DATABASE_URL: databaseUrl })).toMatchObject({ databaseUrl });
  });

  test('take a share of the requests for the log', () => {
    expect(readConfig({ PARLEY_REQUEST_LOG: '1%' }).requestLog).toEqual({ percent: 1 });
    expect(readConfig({ PARLEY_REQUEST_LOG: 'errors' }).requestLog).toBe('errors');
  });

  test('report all problems together, and no secret', () => {
    const problems = problemsOf({
      PARLEY_PORT: 'x',
      PARLEY_MASTER_KEY: 'hush',
      DATABASE_URL: 'hush',
    });
    expect(problems).toHaveLength(3);
    expect(problems.join()).not.toContain('"hush"');
  });

  test('report unknown variables that look like settings', () => {
    expect(unknownSettings({ PARLEY_PROT: '1', PARLEY_PORT: '1', HOME: '/' })).toEqual([
      'PARLEY_PROT',
    ]);
  });

  test('are all in .env.example', async () => {
    expect(await readFile(new URL('../.env.example', import.meta.url), 'utf8')).toBe(
      describeSettings(),
    );
  });
});
