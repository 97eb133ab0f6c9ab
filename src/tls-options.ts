import { type Config, publicUrl } from './config.ts';

/** Returns the options for the service's certificate. */
export function tlsOptionsOf(config: Config) {
  const name = new URL(publicUrl(config)).hostname;
  return {
    dataDir: config.dataDir,
    certFile: config.tlsCert || undefined,
    keyFile: config.tlsKey || undefined,
    names: name === 'localhost' ? [] : [name],
  };
}
