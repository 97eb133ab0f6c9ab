import type { Config } from './config.ts';
import type { Log } from './platform/log.ts';

/** Where the service's certificate comes from. */
export function tlsOptionsOf(config: Config, log: Log) {
  return {
    dataDir: config.dataDir,
    certFile: config.tlsCert || undefined,
    keyFile: config.tlsKey || undefined,
    names: config.baseUrl ? [new URL(config.baseUrl).hostname] : [],
    log: { warn: (text: string) => log.warn(text) },
  };
}
