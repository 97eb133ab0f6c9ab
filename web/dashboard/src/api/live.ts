import type { LiveEvent } from './records.ts';

type LiveListener = {
  /** Called with whether events arrive at the moment. */
  onState: (isOpen: boolean) => void;
  onEvent: (event: LiveEvent) => void;
  /** Called if this tab begins to hear the events of a stream that is open already, and may have missed some. */
  onMissed: () => void;
  /** Called if the browser is signed in as another person meanwhile. Nothing else is called after it. */
  onOtherPerson: () => void;
};

/** A message between the tabs of one browser. */
type Note =
  | { kind: 'event'; event: LiveEvent; id: string }
  | { kind: 'state'; isOpen: boolean; id: string }
  /** Asks the tab with the stream whether it is still there. */
  | { kind: 'ask' };

/** How long a stream may be gone before `onState` is called. */
const withoutStreamMs = 4_000;
const openAgainMs = 10_000;
/**
 * Each stream begins with an event and ends after 55 s, so a stream without an event for this time is lost, although the
 * browser has not noticed.
 */
const maxSilenceMs = 65_000;
/** How long a new stream may be without its first event. A browser may open it on a connection that is lost too. */
const maxOpeningMs = 15_000;
/** How often a visible tab asks the one with the stream, and how long that may take to reply. */
const askEveryMs = 5_000;
const replyWithinMs = 4_000;

/**
 * Listens to the events of a tenant for a person. All tabs of a browser share one stream, because over HTTP/1.1
 * a browser opens at most six connections: the tab that holds a lock has the stream, and passes its events on to
 * the others. If it closes, freezes or stops replying, another one takes over from the same position.
 *
 * @param person their email address
 * @returns ends it
 */
export function listenLive(address: string, person: string, listener: LiveListener): () => void {
  // Other persons and tenants have other names.
  const name = `parley-live ${address} ${person}`;
  const channel = new BroadcastChannel(name);
  const stopping = new AbortController();
  let lastId = '';
  let isOpen = false;
  /** Whether this tab has heard every event since it began or caught up. */
  let isComplete = false;
  let heardAt = performance.now();
  /** Gives the lock up; undefined in a tab without the stream. */
  let release: (() => void) | undefined;

  function setOpen(now: boolean): void {
    if (now !== isOpen) listener.onState(now);
    isOpen = now;
  }

  function share(note: Note): void {
    channel.postMessage(note);
    take(note);
  }

  function take(note: Note): void {
    if (note.kind === 'ask') return;
    if (note.id) lastId = note.id;
    setOpen(note.kind === 'event' || note.isOpen);
    if (note.kind === 'event') {
      isComplete ||= note.event.kind === 'ready' || note.event.kind === 'restarted';
      listener.onEvent(note.event);
    }
    if (isOpen && !isComplete) {
      isComplete = true;
      listener.onMissed();
    }
  }

  channel.onmessage = ({ data }: MessageEvent<Note>) => {
    if (data.kind === 'ask') {
      if (release) channel.postMessage({ kind: 'state', isOpen, id: lastId } satisfies Note);
      return;
    }
    heardAt = performance.now();
    take(data);
  };

  /** Waits for the lock, or takes it from a tab that does not reply. */
  function compete(steal = false): void {
    if (stopping.signal.aborted) return;
    const options = steal ? { steal } : { signal: stopping.signal };
    navigator.locks.request(name, options, lead).catch(() => {
      // Another tab took the lock from this one, which did not reply for long.
      if (release) leave();
      if (!stopping.signal.aborted) compete();
    });
  }

  function lead(): Promise<void> {
    const stream = openStream(address, () => lastId, {
      onDown: () => share({ kind: 'state', isOpen: false, id: lastId }),
      onEvent(event, id) {
        if ('email' in event && event.email !== person) {
          stop();
          listener.onOtherPerson();
        } else share({ kind: 'event', event, id });
      },
    });
    return new Promise((resolve) => {
      release = () => {
        stream.close();
        resolve();
      };
    });
  }

  function leave(): void {
    release?.();
    release = undefined;
  }

  function ask(): void {
    if (release || document.visibilityState !== 'visible') return;
    const askedAt = performance.now();
    channel.postMessage({ kind: 'ask' } satisfies Note);
    setTimeout(() => {
      if (!release && heardAt < askedAt) compete(true);
    }, replyWithinMs);
  }

  const asking = setInterval(ask, askEveryMs);
  const { signal } = stopping;
  document.addEventListener('visibilitychange', ask, { signal });
  // A frozen tab, or one that Back may show again, hands over at once.
  document.addEventListener('freeze', leave, { signal });
  addEventListener('pagehide', leave, { signal });
  const back = () => {
    isComplete = false;
    if (!release) compete();
  };
  document.addEventListener('resume', back, { signal });
  addEventListener('pageshow', ({ persisted }) => persisted && back(), { signal });
  compete();
  ask();

  function stop(): void {
    stopping.abort();
    clearInterval(asking);
    leave();
    channel.close();
  }
  return stop;
}

type StreamListener = { onDown: () => void; onEvent: (event: LiveEvent, id: string) => void };

/** Streams end every minute and are opened again from the position where they ended. */
function openStream(address: string, lastId: () => string, { onDown, onEvent }: StreamListener) {
  let source: EventSource;
  let down: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  /** Timers stand still while a machine sleeps, but not this time. */
  let heardAt: number;
  let silence: ReturnType<typeof setTimeout> | undefined;

  function waitAtMost(ms: number): void {
    heardAt = Date.now();
    clearTimeout(silence);
    silence = setTimeout(openAnew, ms);
  }

  function openAnew(): void {
    onDown();
    clearTimeout(again);
    source.close();
    open();
  }

  function openIfSilent(): void {
    if (document.visibilityState === 'visible' && Date.now() - heardAt > maxSilenceMs) openAnew();
  }

  function open(): void {
    const after = lastId();
    waitAtMost(maxOpeningMs);
    source = new EventSource(after ? `${address}?after=${encodeURIComponent(after)}` : address);
    source.onmessage = ({ data, lastEventId }) => {
      clearTimeout(down);
      down = undefined;
      waitAtMost(maxSilenceMs);
      onEvent(JSON.parse(data), lastEventId);
    };
    source.onerror = () => {
      down ??= setTimeout(onDown, withoutStreamMs);
      // After a response that is no stream, such as a proxy's, a browser does not try again.
      if (source.readyState === EventSource.CLOSED) again = setTimeout(open, openAgainMs);
    };
  }

  const listening = new AbortController();
  const { signal } = listening;
  document.addEventListener('visibilitychange', openIfSilent, { signal });
  addEventListener('online', openIfSilent, { signal });
  open();
  return {
    close() {
      listening.abort();
      for (const timer of [down, again, silence]) clearTimeout(timer);
      source.close();
    },
  };
}
