import { expect, onTestFinished, test, vi } from 'vitest';
import { keep, kept } from '../../../../../../parts/behaviour/browser-storage.ts';
import { Problem } from '../../../../../../parts/behaviour/problem.ts';
import { draftOf, setDraft } from '../../../../../../parts/fields/use-draft.ts';
import { moveOutbox, outboxOf } from './outbox.ts';
import { createUnsureText, type Text } from './unsure-text.ts';

const lost = new Problem(0, 'Parley can’t be reached.');

/** A text that came back to the draft of its conversation after a response was lost. */
function loseText(id: string) {
  vi.useFakeTimers();
  onTestFinished(() => {
    vi.useRealTimers();
    keep('sessionStorage', `${id} unsure`, null);
  });
  const text: Text = {
    text: 'Hello',
    to: '+14155550101',
    from: '1',
    key: 'key-1',
    at: Date.now(),
    after: 7,
  };
  const unsure = createUnsureText(id);
  setDraft(id, 'Hello\nand more');
  unsure.noteFailure(text, lost);
  const requests: string[] = [];
  let outcome: Problem | undefined;
  let settling: Promise<string | undefined> | undefined;
  unsure.settleBy(() => {
    settling = unsure
      .settle(async ({ key }) => {
        requests.push(key);
        if (outcome) throw outcome;
      }, '1')
      .then(
        () => undefined,
        (error) => error.message,
      );
  });
  return {
    unsure,
    requests,
    isKept: () => kept('sessionStorage', `${id} unsure`) !== null,
    /** Moves the time. Returns the problem that the member is notified of. */
    async pass(ms: number, next?: Problem): Promise<string | undefined> {
      outcome = next;
      await vi.advanceTimersByTimeAsync(ms);
      return settling;
    },
  };
}

test('a text whose response was lost is sent again with its key until its outcome is known, and leaves the draft', async () => {
  const { requests, pass, isKept } = loseText('settles');
  await pass(9_999);
  expect(requests).toEqual([]);
  await pass(1, lost);
  await pass(10_000, new Problem(503, 'Not now.'));
  expect(requests).toEqual(['key-1', 'key-1']);
  expect(draftOf('settles')).toBe('Hello\nand more');
  await pass(10_000);
  expect(requests).toEqual(['key-1', 'key-1', 'key-1']);
  expect(draftOf('settles')).toBe('and more');
  expect(isKept()).toBe(false);
  await pass(60_000);
  expect(requests).toHaveLength(3);
});

test('a text that was changed, or that is an hour old, is left to the member', async () => {
  const changed = loseText('changed');
  setDraft('changed', 'Oh, Hello');
  await changed.pass(60_000);
  expect(changed.requests).toEqual([]);

  const old = loseText('old');
  await old.pass(3_590_000, lost);
  await old.pass(60_000, lost);
  const count = old.requests.length;
  old.unsure.trySettling();
  await old.pass(60_000);
  expect(old.requests).toHaveLength(count);
  // Its key is kept, if the member sends it.
  expect(old.unsure.takeFrom('Hello', '1').text?.key).toBe('key-1');
});

test('a text that is refused loses its key, unless it may have been sent before', async () => {
  const refused = loseText('refused');
  expect(await refused.pass(10_000, new Problem(422, 'Not to this phone.'))).toBe(
    'Not to this phone.',
  );
  expect(draftOf('refused')).toBe('Hello\nand more');
  expect(refused.isKept()).toBe(false);

  // The session has ended meanwhile, which says nothing about the first request.
  const signedOut = loseText('signed out');
  expect(await signedOut.pass(10_000, new Problem(401, 'Sign in first.'))).toBe(undefined);
  const { text, rest } = signedOut.unsure.takeFrom('Hello\nand more', '1');
  expect([text?.key, rest]).toEqual(['key-1', 'and more']);
  signedOut.unsure.noteFailure(text!, new Problem(401, 'Sign in first.'));
  expect(signedOut.unsure.takeFrom('Hello', '1').text?.key).toBe('key-1');
});

test('a text that is sent by the member while it is being settled leaves no second one', async () => {
  const { unsure, pass } = loseText('both');
  unsure.settleBy(() => {});
  await pass(10_000);
  const answer = Promise.withResolvers<void>();
  const settled = unsure.settle(() => answer.promise, '1');
  const { text, rest } = unsure.takeFrom(draftOf('both'), '1');
  expect(text?.key).toBe('key-1');
  setDraft('both', `${rest}, Hello`);
  answer.resolve();
  await settled;
  expect(draftOf('both')).toBe('and more, Hello');
});

test('a key that the service knows for another request says nothing about the message', async () => {
  const changed = loseText('key of another request');
  const faults = { 'Idempotency-Key': ['This key was used for another request.'] };
  expect(await changed.pass(10_000, new Problem(422, 'Refused.', faults))).toBe(undefined);
  expect(changed.unsure.takeFrom('Hello', '1').text?.key).toBe('key-1');
});

test('a text that may have been sent goes to the same phone again, also in the conversation of another one', async () => {
  const requests: Text[] = [];
  async function post(text: Text): Promise<number> {
    requests.push(text);
    throw lost;
  }
  const before = outboxOf('hidden phone');
  before.add('Hello', { to: 'US.1', from: '1' }, 7);
  await before.send(post).catch(() => {});
  setDraft('known phone', 'and more');
  moveOutbox('hidden phone', 'known phone');
  expect(draftOf('known phone')).toBe('Hello\nand more');
  const after = outboxOf('known phone');
  after.add(draftOf('known phone'), { to: '+14155550101', from: '1' }, 9);
  setDraft('known phone', '');
  await after.send(post).catch(() => {});
  expect(requests.map(({ to }) => to)).toEqual(['US.1', 'US.1']);
  expect(requests[1]!.key).toBe(requests[0]!.key);
});

test('a text that fails after its conversation became part of another one returns to the draft there', async () => {
  const before = outboxOf('merged');
  before.add('Hello', { to: 'US.1', from: '1' }, 7);
  const response = Promise.withResolvers<number>();
  const sent = before.send(() => response.promise);
  moveOutbox('merged', 'merged into');
  response.reject(lost);
  await expect(sent).rejects.toThrow(Problem);
  expect([draftOf('merged'), draftOf('merged into')]).toEqual(['', 'Hello']);
  const { text } = outboxOf('merged into').unsure.takeFrom('Hello', '1');
  expect(text).toMatchObject({ to: 'US.1', text: 'Hello' });
});
