import { cellSettings } from './settings/cell-settings.ts';
import { databaseSettings } from './settings/database-settings.ts';
import { mediaSettings } from './settings/media-settings.ts';
import { networkSettings } from './settings/network-settings.ts';
import { observationSettings } from './settings/observation-settings.ts';
import { retentionSettings } from './settings/retention-settings.ts';
import { serviceSettings } from './settings/service-settings.ts';
import { repositoryRoot } from './settings/setting.ts';
import { storeSettings } from './settings/store-settings.ts';
import { webhookSettings } from './settings/webhook-settings.ts';

/** Every setting, in the order of `.env.example`. */
const settings = {
  ...serviceSettings,
  ...databaseSettings,
  ...cellSettings,
  ...networkSettings,
  ...webhookSettings,
  ...retentionSettings,
  ...storeSettings,
  ...mediaSettings,
  ...observationSettings,
};

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
    const shown = fallback.startsWith(repositoryRoot)
      ? fallback.slice(repositoryRoot.length)
      : fallback;
    return `# ${documentation}\n# ${variable}=${shown}\n`;
  });
  return `# The settings of Parley and their defaults. Written by \`npm run settings\`; do not edit.\n\n${entries.join('\n')}`;
}
