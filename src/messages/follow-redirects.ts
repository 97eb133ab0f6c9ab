import type { AnswerHead } from '../platform/outbound/answer-head.ts';

export const mostRedirects = 3;

/**
 * Asks at an address, then where its answer redirects to, at most three times. Who asks does so
 * through the guard each time: an allowed address may redirect to any other.
 *
 * @param ask is given how many milliseconds are left for all of it
 * @returns the first answer that is no redirect; undefined when they do not end
 */
export async function followRedirects<Answer extends AnswerHead>(
  url: string,
  timeoutMs: number,
  ask: (address: string, leftMs: number) => Promise<Answer>,
): Promise<Answer | undefined> {
  const until = performance.now() + timeoutMs;
  let address = url;
  for (let hop = 0; hop <= mostRedirects; hop++) {
    const answer = await ask(address, Math.max(1, until - performance.now()));
    const location = redirectOf(answer, address);
    if (location === undefined) return answer;
    address = location;
  }
  return undefined;
}

/** Where an answer sends who asked at an address; undefined when it does not. */
export function redirectOf({ status, headers }: AnswerHead, address: string): string | undefined {
  if (![301, 302, 303, 307, 308].includes(status) || !headers.location) return undefined;
  return URL.parse(headers.location, address)?.href;
}
