import { type LookupFunction, Socket } from 'node:net';
import pg from 'pg';
import { ServerSilent } from '../database/failures/lost-connection.ts';
import { createSharedLookup } from '../shared-lookup.ts';

/** A connection of a pool, with how long it has waited for the server. */
export type TrackedClient = pg.Client & {
  /** When the statement under way was sent, in milliseconds of `performance.now()`. */
  readonly waitingSince: number | undefined;
  /** The id of the server's process for this connection; null before it is connected. */
  readonly processID: number | null;
  /** Ends the connection without the server. The statement under way fails. */
  abandon(): void;
};

/**
 * Creates a class of connections, for all pools of a database.
 *
 * @returns the class, and its open connections, including those that are still connecting
 */
export function trackClients() {
  const open = new Set<TrackedClient>();

  class Client extends pg.Client {
    declare readonly processID: number | null;
    waitingSince: number | undefined;
    #underWay = 0;

    constructor(config: pg.ClientConfig = {}) {
      super(config);
      open.add(this);
      this.once('end', () => open.delete(this));
    }

    // biome-ignore lint/suspicious/noExplicitAny: passes on every overload of the driver
    override query(...given: any[]): any {
      const callback = given.at(-1);
      if (++this.#underWay === 1) this.waitingSince = performance.now();
      if (typeof callback !== 'function') {
        const result: Promise<unknown> = super.query(...(given as [string]));
        const ended = () => this.#ended();
        result.then(ended, ended);
        return result;
      }
      const then = (...result: unknown[]) => {
        this.#ended();
        callback(...result);
      };
      return super.query(...([...given.slice(0, -1), then] as unknown as [string]));
    }

    #ended(): void {
      this.waitingSince = --this.#underWay === 0 ? undefined : performance.now();
    }

    abandon(): void {
      this.connection.stream.destroy(new ServerSilent(typeof this.processID === 'number'));
    }
  }

  return { Client, open: open as ReadonlySet<TrackedClient> };
}

const lookup = createSharedLookup();

/** A socket that does not depend on the name servers once the host of the database was found. */
export function openSocket(): Socket {
  return new DatabaseSocket();
}

class DatabaseSocket extends Socket {
  // biome-ignore lint/suspicious/noExplicitAny: passes on every overload of Node
  override connect(...given: any[]): any {
    const [port, host] = given;
    // The driver passes the path of a Unix socket alone.
    if (typeof host !== 'string') return super.connect(...(given as [string]));
    return super.connect({ port, host, lookup: lookup as LookupFunction });
  }
}
