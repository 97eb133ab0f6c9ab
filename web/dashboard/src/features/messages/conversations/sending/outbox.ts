import { keep, kept } from '../../../../../../parts/behaviour/browser-storage.ts';
import { draftOf, moveDraft, setDraft } from '../../../../../../parts/fields/use-draft.ts';
import { isLeavingAfterSignOut } from '../../../../session.ts';
import { createUnsureText, isInConversation, type Text } from './unsure-text.ts';

/** How long a text is shown after it was sent. Without live events, its message is read within this time. */
const shownAfterMs = 10_000;

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
  const interrupted: Text[] = JSON.parse(kept('sessionStorage', textsKey) ?? '[]');
  const unsure = createUnsureText(id);
  /** Where what is not sent returns to: another one once the conversation is part of another one. */
  let home = { id, unsure };

  if (interrupted.length > 0) {
    // The page was loaded again, or its tab was discarded, while they were on their way. Only the first was requested.
    const draft = [...interrupted.map(({ text }) => text), kept('sessionStorage', id)];
    keep('sessionStorage', id, draft.filter(Boolean).join('\n'));
    unsure.set(interrupted[0]);
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
    id,

    /**
     * Adds what was written. If it begins with the text that may have been sent, unchanged, that one keeps its key and
     * stays a message of its own.
     *
     * @param to the phone or user id of the person
     * @param from the number that sends; undefined before the numbers are known, when the service chooses
     * @param after the id of the newest message of the conversation
     * @returns whether nothing was on its way before
     */
    add(
      written: string,
      { to, from }: { to: string; from: string | undefined },
      after: number,
    ): boolean {
      const wasEmpty = texts.length === 0;
      const { text, rest } = unsure.takeFrom(written, from);
      const added = text ? [text] : [];
      if (rest)
        added.push({ text: rest, to, from, key: crypto.randomUUID(), at: Date.now(), after });
      change([...texts, ...added]);
      return wasEmpty;
    },

    /**
     * Sends the texts, also those that are added meanwhile. If one fails, it returns to the draft with those after it.
     *
     * @param post returns the id of the message
     */
    async send(post: (text: Text) => Promise<number>): Promise<void> {
      try {
        for (let next = texts[0]; next !== undefined; next = texts[0]) {
          noteSent(await post(next));
        }
      } catch (error) {
        const [first, ...others] = texts;
        change([]);
        const back = isInConversation(error) ? others : [first!, ...others];
        const draft = [...back.map(({ text }) => text), draftOf(home.id)];
        setDraft(home.id, draft.filter(Boolean).join('\n'));
        throw home.unsure.noteFailure(first!, error);
      }
    },

    unsure,

    /** Moves what came back from it to another one, and what is still on its way if it fails. */
    moveTo(other: { id: string; unsure: typeof unsure }): void {
      home = other;
      const text = unsure.get();
      if (!text) return;
      unsure.set(undefined);
      other.unsure.set(text);
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

const outboxes = new Map<string, ReturnType<typeof createOutbox>>();

/** Returns the outbox of a conversation, which stays while other pages are open. */
export function outboxOf(id: string) {
  const outbox = outboxes.get(id) ?? createOutbox(id);
  outboxes.set(id, outbox);
  return outbox;
}

/** Moves the draft of a conversation that has become part of another one, with what may have been sent of it. */
export function moveOutbox(from: string, to: string): void {
  if (from === to) return;
  moveDraft(from, to);
  outboxOf(from).moveTo(outboxOf(to));
}

addEventListener('online', () => {
  for (const { unsure } of outboxes.values()) unsure.trySettling();
});

/** Closing the tab would lose what waits behind a text that is on its way. */
function askBeforeUnload(): void {
  const isEmpty = [...outboxes.values()].every((outbox) => outbox.isEmpty());
  if (isEmpty) removeEventListener('beforeunload', ask);
  else addEventListener('beforeunload', ask);
}

function ask(event: BeforeUnloadEvent): void {
  if (!isLeavingAfterSignOut()) event.preventDefault();
}
