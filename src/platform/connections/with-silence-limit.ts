import { ServerSilent } from '../database/failures/lost-connection.ts';

const stepMs = 500;

/**
 * Waits for a response of the server for about `limitMs`, counted in steps of half a second. A time in which this
 * process itself was stopped or busy counts as one step, because what the server sent meanwhile is still unread.
 *
 * @throws ServerSilent
 */
export async function withSilenceLimit<Result>(
  response: Promise<Result>,
  limitMs: number,
): Promise<Result> {
  const { promise: silence, reject } = Promise.withResolvers<never>();
  let steps = 0;
  const timer = setInterval(() => {
    if (++steps * stepMs >= limitMs) reject(new ServerSilent(true));
  }, stepMs).unref();
  try {
    return await Promise.race([response, silence]);
  } finally {
    clearInterval(timer);
  }
}
