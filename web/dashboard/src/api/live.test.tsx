import { expect, onTestFinished, test } from 'vitest';
import { listenLive } from './live.ts';

/** Another tab of the browser, which has the stream. */
async function openTabWithStream(name: string): Promise<BroadcastChannel> {
  const channel = new BroadcastChannel(name);
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  await new Promise<void>((isHeld) => {
    void navigator.locks.request(name, () => {
      isHeld();
      return closed;
    });
  });
  onTestFinished(() => {
    channel.close();
    close();
  });
  return channel;
}

test('a tab that joins an open stream catches up once, whether an event or a reply comes first', async () => {
  for (const first of [
    { kind: 'state', isOpen: true, id: '7' },
    { kind: 'event', event: { kind: 'touched', topics: ['usage'] }, id: '7' },
    { kind: 'event', event: { kind: 'resumed', email: 'ada@example.com', user_id: '1' }, id: '7' },
  ]) {
    const person = `${first.kind} ${first.event?.kind}`;
    const other = await openTabWithStream(`parley-live /live ${person}`);
    const heard: string[] = [];
    const stop = listenLive('/live', person, {
      onState: (isOpen) => heard.push(isOpen ? 'open' : 'closed'),
      onEvent: ({ kind }) => heard.push(kind),
      onMissed: () => heard.push('missed'),
      onOtherPerson: () => heard.push('other person'),
    });
    other.postMessage(first);
    other.postMessage({ kind: 'state', isOpen: true, id: '8' });
    other.postMessage({ kind: 'event', event: { kind: 'touched', topics: ['stores'] }, id: '9' });
    await expect.poll(() => heard.filter((each) => each === 'touched').length).toBeGreaterThan(0);
    await expect.poll(() => heard.at(-1)).toBe('touched');
    expect(heard.filter((each) => each === 'missed')).toEqual(['missed']);
    stop();
  }
});
