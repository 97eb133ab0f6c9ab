import { expect, test } from 'vitest';
import { renderHook } from 'vitest-browser-react';
import { Problem } from '../../../../../../parts/behaviour/problem.ts';
import { useSendOnce } from './use-send-once.ts';

test('a message keeps its key until a response says whether it was sent, and has another one after that', async () => {
  const { result } = await renderHook(() => useSendOnce());
  const keys: string[] = [];
  const send = (failure?: Problem) =>
    result
      .current<{ from?: string; type: string }, void>({ type: 'image' }, async (key) => {
        keys.push(key);
        if (failure) throw failure;
      })
      .catch(() => {});
  const failWith = (status: number) => send(new Problem(status, ''));
  await failWith(422);
  // The response is lost. Then the session has ended, which says nothing about the request before.
  await failWith(0);
  await failWith(401);
  await failWith(429);
  await send();
  await send();
  const [refused, lost, signedOut, limited, sent, next] = keys;
  expect([signedOut, limited, sent]).toEqual([lost, lost, lost]);
  expect(new Set([refused, lost, next]).size).toBe(3);
});
