import type { LookupAddress } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { expect, test } from 'vitest';
import { createSharedLookup } from './shared-lookup.ts';

const ask = (lookup: LookupFunction, all = false) =>
  new Promise((resolve, reject) => {
    lookup('db.example', { all }, (error, ...found) => (error ? reject(error) : resolve(found)));
  });

/** Name servers whose next answers the test gives. */
function nameServers() {
  const questions: PromiseWithResolvers<LookupAddress[]>[] = [];
  const lookup = createSharedLookup(() => {
    questions.push(Promise.withResolvers());
    return questions.at(-1)!.promise;
  });
  return { questions, lookup };
}
const first = { address: '192.0.2.1', family: 4 };
const moved = { address: '192.0.2.2', family: 4 };

test('concurrent lookups of a host share one', async () => {
  const { questions, lookup } = nameServers();
  const found = Promise.all([ask(lookup), ask(lookup, true)]);
  questions[0]!.resolve([first, moved]);
  expect(await found).toEqual([[first.address, 4], [[first, moved]]]);
  expect(questions).toHaveLength(1);
});

test('the last addresses are used while the name servers fail or stay silent, and new ones as soon as they respond', async () => {
  const { questions, lookup } = nameServers();
  const unknown = ask(lookup);
  questions[0]!.reject(new Error('EAI_AGAIN'));
  await expect(unknown).rejects.toThrow('EAI_AGAIN');

  const known = ask(lookup);
  questions[1]!.resolve([first]);
  await known;
  const failed = ask(lookup);
  questions[2]!.reject(new Error('EAI_AGAIN'));
  expect(await failed).toEqual([first.address, 4]);
  expect(await ask(lookup)).toEqual([first.address, 4]);
  const answered = ask(lookup);
  questions[3]!.resolve([moved]);
  expect(await answered).toEqual([moved.address, 4]);
});
