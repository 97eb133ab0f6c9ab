import { type buildConnector, Client } from 'undici';
import { feedParser } from './responses/feed-parser.ts';
import { parserHeaderBytes } from './responses/response-limits.ts';

/**
 * Creates a client for one response, on a connection of its own that limits the bytes. The reader of the
 * response limits the time.
 *
 * @param connect makes connections with `onread`
 * @param dropsBody pieces of the body are not kept
 */
export function createClient(
  origin: string,
  connect: buildConnector.connector,
  dropsBody = false,
): Client {
  return new Client(origin, {
    connect: feedParser(connect, { dropsBody }),
    allowH2: false,
    pipelining: 0, // `Connection: close`
    maxHeaderSize: parserHeaderBytes,
    headersTimeout: 0,
    bodyTimeout: 0,
  });
}
