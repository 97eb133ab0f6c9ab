import { type LookupAddress, type LookupOptions, lookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { BoundedMap } from './concurrency/bounded-map.ts';

/** A name server that is slower than this is waited for only if the host was never looked up. */
const patienceMs = 1_000;
const maxHosts = 100;

type Addresses = LookupAddress[];

/**
 * Looks up hosts as Node does, with two differences for name servers that stop to respond. Concurrent lookups of a
 * host share one, because each blocks one of four threads that all of Node shares. And if the lookup fails or takes
 * longer than a second, the addresses of the last one are used.
 *
 * @param resolve looks up all addresses of a host
 */
export function createSharedLookup(resolve: typeof lookUpAll = lookUpAll): LookupFunction {
  const underWay = new Map<string, Promise<Addresses>>();
  const last = new BoundedMap<string, Addresses>(maxHosts);

  function start(host: string, options: LookupOptions, key: string): Promise<Addresses> {
    const found = resolve(host, options)
      .then((addresses) => {
        last.set(key, addresses);
        return addresses;
      })
      .finally(() => underWay.delete(key));
    underWay.set(key, found);
    return found;
  }

  async function find(host: string, options: LookupOptions): Promise<Addresses> {
    const key = `${options.family ?? 0} ${options.hints ?? 0} ${host}`;
    const found = underWay.get(key) ?? start(host, options, key);
    const known = last.get(key);
    if (!known) return found;
    let timer: NodeJS.Timeout | undefined;
    const waited = new Promise<Addresses>((done) => {
      timer = setTimeout(done, patienceMs, known);
    });
    const quick = await Promise.race([found.catch(() => known), waited]);
    clearTimeout(timer);
    return quick;
  }

  return (host, options, done) => {
    find(host, options).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all) done(null, addresses);
        else done(null, first!.address, first!.family);
      },
      (error) => done(error, ''),
    );
  };
}

function lookUpAll(host: string, { family, hints }: LookupOptions): Promise<Addresses> {
  return new Promise((resolve, reject) => {
    const options = { all: true as const, family: family ?? 0, hints: hints ?? 0 };
    lookup(host, options, (error, addresses) => (error ? reject(error) : resolve(addresses)));
  });
}
