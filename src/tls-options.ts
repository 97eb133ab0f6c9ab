import { type Config, publicUrl } from './config.ts';

/** Where the service's certificate comes from. */
export function tlsOptionsOf(config: Config) {
  const name = new URL(publicUrl(config)).hostname;
  return {
    dataDir: config.dataDir,
    certFile: config.tlsCert || undefined,
    keyFile: config.tlsKey || undefined,
    names: name === 'localhost' ? [] : [name],
  };
}
