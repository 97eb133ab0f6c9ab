import { setTimeout as sleep } from 'node:timers/promises';

/** A database that takes longer is of no use to whoever asks how it is. */
const longestMs = 2_000;

/** @throws what is asked throws, or an error after two seconds */
export function inTime<Answer>(asked: Promise<Answer>): Promise<Answer> {
  const tooLate = sleep(longestMs, undefined, { ref: false }).then(() => {
    throw new Error('The database does not answer in time.');
  });
  return Promise.race([asked, tooLate]);
}
