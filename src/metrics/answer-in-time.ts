import { withTimeout } from '../platform/with-timeout.ts';

/** A database that takes longer is of no use to whoever asks how it is. */
const longestMs = 2_000;

/** @throws what was asked throws, or an error after two seconds */
export function answerInTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
  return withTimeout(asked, longestMs, () => new Error('The database does not answer in time.'));
}
