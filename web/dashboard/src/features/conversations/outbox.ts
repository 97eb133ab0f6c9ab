import { keep, kept } from '../../../../parts/browser-storage.ts';
import { Problem } from '../../../../parts/problem.ts';
import { mayBeDone } from '../../api/problems.ts';
import { isLeavingAfterSignOut } from '../../session.ts';

/** A text to send, with the number that sends it and the Idempotency-Key by which it goes out once. */
export type Text = {
  text: string;
  from: string | undefined;
  key: string;
  /** When it was written, in milliseconds since 1970. */
  at: number;
  /** The id of the newest message of its conversation at that time. */
  after: number;
  /** The id of its message, once that is sent. */
  messageId?: number;
};

/** How long a text is shown after it was sent. Without live events, its message is read within this time. */
const shownAfterMs = 10_000;

/** What a text lacks that an earlier version of the dashboard has kept. */
const ofEarlierVersion = { at: 0, after: 0 };

/**
 * The texts of one conversation that are on their way, in the order in which they were written.
 *
 * @param id of the draft, which is in the field while nothing is on its way
 */
function createOutbox(id: string) {
  let texts: readonly Text[] = [];
  /** Those that were sent a moment ago. */
  let sent: readonly Text[] = [];
  let shown = texts;
  const listeners = new Set<() => void>();
  const textsKey = `${id} sending`;
  const unsureKey = `${id} unsure`;
  const interrupted: Text[] = JSON.parse(kept('sessionStorage', textsKey) ?? '[]');
  /** The text that came back although it may have been sent. Like the draft, it stays when the page is loaded again. */
  let unsure: Text | undefined;
  const before = interrupted[0] ?? JSON.parse(kept('sessionStorage', unsureKey) ?? 'null');
  if (before) unsure = { ...ofEarlierVersion, ...before };

  if (interrupted.length > 0) {
    // The page was loaded again, or its tab was discarded, while they were on their way. Only the first was requested.
    const draft = [...interrupted.map(({ text }) => text), kept('sessionStorage', id)];
    keep('sessionStorage', id, draft.filter(Boolean).join('\n'));
    setUnsure(unsure);
    change([]);
  }

  function change(next: readonly Text[], nextSent = sent): void {
    texts = next;
    sent = nextSent;
    shown = [...sent, ...texts];
    // A browser that is short of memory discards a tab without asking.
    keep('sessionStorage', textsKey, texts.length > 0 ? JSON.stringify(texts) : null);
    askBeforeUnload();
    for (const listener of listeners) listener();
  }

  function setUnsure(text: Text | undefined): void {
    unsure = text;
    keep('sessionStorage', unsureKey, text ? JSON.stringify(text) : null);
  }

  /** Shows the first text until its message can be in the conversation. */
  function noteSent(messageId: number): void {
    const entry = { ...texts[0]!, messageId };
    change(texts.slice(1), [...sent, entry]);
    setTimeout(() => {
      const others = sent.filter((each) => each !== entry);
      change(texts, others);
    }, shownAfterMs);
  }

  return {
    /**
     * Adds what was written. If it begins with the text that may have been sent, unchanged, that one keeps its key and
     * stays a message of its own.
     *
     * @param from the number that sends; undefined before the numbers are known, when the service chooses
     * @param after the id of the newest message of the conversation
     * @returns whether nothing was on its way before
     */
    add(written: string, from: string | undefined, after: number): boolean {
      const wasEmpty = texts.length === 0;
      const added: Text[] = [];
      let rest = written.trim();
      if (unsure && isSameNumber(unsure.from, from) && `${rest}\n`.startsWith(`${unsure.text}\n`)) {
        added.push(unsure);
        rest = rest.slice(unsure.text.length).trim();
      }
      setUnsure(undefined);
      if (rest) added.push({ text: rest, from, key: crypto.randomUUID(), at: Date.now(), after });
      change([...texts, ...added]);
      return wasEmpty;
    },

    /**
     * Sends the texts, also those that are added meanwhile.
     *
     * @param post returns the id of the message
     * @param takeBack gets the texts that were not sent, if one of them fails
     */
    async send(
      post: (text: Text) => Promise<number>,
      takeBack: (texts: string[]) => void,
    ): Promise<void> {
      try {
        for (let next = texts[0]; next !== undefined; next = texts[0]) {
          noteSent(await post(next));
        }
      } catch (error) {
        const failed = [...texts];
        change([]);
        // The conversation shows a message with an unknown outcome, and says so.
        if (error instanceof Problem && error.code === 'outcome_unknown') failed.shift();
        else if (mayBeDone(error)) setUnsure(failed[0]);
        takeBack(failed.map(({ text }) => text));
        throw error;
      }
    },

    isEmpty: () => texts.length === 0,

    /** The texts on their way, and before them those that were sent a moment ago. */
    shown: () => shown,

    /** Calls a function whenever these change. */
    subscribe(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** Whether two messages are of the same number, as far as is known: without a number, the service chooses. */
export function isSameNumber(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}

const outboxes = new Map<string, ReturnType<typeof createOutbox>>();

/** Returns the outbox of a conversation, which stays while other pages are open. */
export function outboxOf(id: string) {
  const outbox = outboxes.get(id) ?? createOutbox(id);
  outboxes.set(id, outbox);
  return outbox;
}

/** Closing the tab would lose what waits behind a text that is on its way. */
function askBeforeUnload(): void {
  const isEmpty = [...outboxes.values()].every((outbox) => outbox.isEmpty());
  if (isEmpty) removeEventListener('beforeunload', ask);
  else addEventListener('beforeunload', ask);
}

function ask(event: BeforeUnloadEvent): void {
  if (!isLeavingAfterSignOut()) event.preventDefault();
}
