import { ServerSilent } from './lost-connection.ts';

const turnMs = 500;

/**
 * Waits for a response of the server for at most about `limitMs`, counted in turns of half a second. If this process
 * itself was stopped or busy for longer, that is one turn: what the server sent meanwhile is still unread.
 *
 * @throws ServerSilent
 */
export async function withSilenceLimit<Result>(
  response: Promise<Result>,
  limitMs: number,
): Promise<Result> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  let turns = 0;
  const timer = setInterval(() => {
    if (++turns * turnMs >= limitMs) reject(new ServerSilent(true));
  }, turnMs).unref();
  try {
    return await Promise.race([response, silence]);
  } finally {
    clearInterval(timer);
  }
}
