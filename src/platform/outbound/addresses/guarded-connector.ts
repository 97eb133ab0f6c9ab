import { buildConnector } from 'undici';
import { toFailure } from '../outbound-failure.ts';
import { onread } from '../responses/feed-parser.ts';
import type { AddressGuard } from './guard-addresses.ts';
import type { Lookup } from './look-up-addresses.ts';
import { vetHost, withoutBrackets } from './vet-host.ts';

const connectTimeoutMs = 5_000;
const maxAddressesTried = 3;

/**
 * Creates a connector that looks up a host, refuses it if any of its addresses is refused, and connects to
 * one of the addresses that it has just checked. Its connections need feedParser.
 *
 * @param ca authorities in PEM form to trust instead of the usual ones
 */
export function guardedConnector(
  guard: AddressGuard,
  lookup: Lookup,
  ca = '',
): buildConnector.connector {
  const connect = buildConnector({
    allowH2: false,
    timeout: connectTimeoutMs,
    maxCachedSessions: 100,
    onread,
    ...(ca ? { ca } : {}),
  });
  return (options, callback) => {
    const host = withoutBrackets(options.hostname);
    const secure = options.protocol === 'https:';
    vetHost(options, guard, lookup).then(
      (addresses) => tryEach(addresses.slice(0, maxAddressesTried)),
      (error) => callback(error, null),
    );

    function tryEach([address, ...others]: string[]): void {
      connect(
        // The certificate is checked for this name, or for the address if the URL has one.
        {
          ...options,
          hostname: address as string,
          servername: secure && host !== address ? host : undefined,
        },
        (...[error, socket]) => {
          if (!error) callback(null, socket as NonNullable<typeof socket>);
          else if (others.length > 0 && toFailure(error).kind !== 'tls') tryEach(others);
          else callback(error, null);
        },
      );
    }
  };
}
