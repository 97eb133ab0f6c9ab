import { Agent, request } from 'undici';
import type { Tally } from './tally.ts';

export type Input = {
  campaign: string;
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** Secrets that this caller must not read. One of them in the response is a leak. */
  forbidden?: readonly string[];
};

export type Output = { status: number; body: string };

/**
 * A request without a response by then is a hang. The longest legitimate one waits for the network's timeout.
 */
const hangMs = 30_000;

export type Client = {
  /** Sends one input, counts it and checks the response; undefined if the connection was cut. */
  send(input: Input): Promise<Output | undefined>;
  close(): Promise<void>;
};

/** Creates an HTTPS client that counts every input and reports server errors, hangs and leaks. */
export function createClient(url: string, tally: Tally, localAddress = '127.0.0.2'): Client {
  const dispatcher = new Agent({
    connections: 64,
    pipelining: 1,
    connect: { rejectUnauthorized: false, localAddress },
    headersTimeout: hangMs,
    bodyTimeout: hangMs,
  });
  return {
    async send({ campaign, method, path, headers = {}, body, forbidden = [] }) {
      const shown = () =>
        `${method} ${path.slice(0, 200)} ${String(body ?? '').slice(0, 400)}`.trim();
      let status: number | undefined;
      let text = '';
      try {
        const response = await request(url + path, {
          dispatcher,
          method: method as 'GET',
          headers,
          body: body ?? null,
        });
        status = response.statusCode;
        text = await response.body.text();
      } catch (error) {
        const { code } = error as { code?: string };
        if (code === 'UND_ERR_HEADERS_TIMEOUT' || code === 'UND_ERR_BODY_TIMEOUT') {
          tally.fault({ kind: 'hang', campaign, detail: shown() });
        }
      }
      tally.add(campaign, status);
      if (status === undefined) return undefined;
      if (status >= 500) {
        tally.fault({
          kind: 'server error',
          campaign,
          detail: `${status} ${shown()} > ${text.slice(0, 300)}`,
        });
      }
      for (const secret of forbidden) {
        if (text.includes(secret)) {
          tally.fault({ kind: 'leak', campaign, detail: `"${secret.slice(0, 12)}…" ${shown()}` });
        }
      }
      return { status, body: text };
    },
    close: () => dispatcher.destroy(),
  };
}

/** Runs `work` for 0 to count - 1, at most `width` at once. */
export async function inParallel(
  count: number,
  width: number,
  work: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await work(next++);
  };
  await Promise.all(Array.from({ length: Math.min(width, count) }, worker));
}
