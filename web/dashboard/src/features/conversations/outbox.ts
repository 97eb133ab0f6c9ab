import { keep, kept } from '../../../../parts/browser-storage.ts';
import { Problem } from '../../../../parts/problem.ts';
import { mayBeDone } from '../../api/problems.ts';
import { isLeavingAfterSignOut } from '../../session.ts';

/** A text to send, with the number that sends it and the Idempotency-Key by which it goes out once. */
export type Text = { text: string; from: string | undefined; key: string };

/**
 * The texts of one conversation that are on their way, in the order in which they were written.
 *
 * @param id of the draft, which is in the field while nothing is on its way
 */
function createOutbox(id: string) {
  const texts: Text[] = [];
  const textsKey = `${id} sending`;
  const unsureKey = `${id} unsure`;
  const interrupted: Text[] = JSON.parse(kept('sessionStorage', textsKey) ?? '[]');
  /** The text that came back although it may have been sent. Like the draft, it stays when the page is loaded again. */
  let unsure: Text | undefined =
    interrupted[0] ?? JSON.parse(kept('sessionStorage', unsureKey) ?? 'null') ?? undefined;

  if (interrupted.length > 0) {
    // The page was loaded again, or its tab was discarded, while they were on their way. Only the first was requested.
    const draft = [...interrupted.map(({ text }) => text), kept('sessionStorage', id)];
    keep('sessionStorage', id, draft.filter(Boolean).join('\n'));
    setUnsure(unsure);
    keepTexts();
  }

  /** A browser that is short of memory discards a tab without asking. */
  function keepTexts(): void {
    keep('sessionStorage', textsKey, texts.length > 0 ? JSON.stringify(texts) : null);
  }

  function setUnsure(text: Text | undefined): void {
    unsure = text;
    keep('sessionStorage', unsureKey, text ? JSON.stringify(text) : null);
  }

  return {
    /**
     * Adds what was written. If it begins with the text that may have been sent, unchanged, that one keeps its key and
     * stays a message of its own.
     *
     * @param from the number that sends; undefined before the numbers are known, when the service chooses
     * @returns whether nothing was on its way before
     */
    add(written: string, from: string | undefined): boolean {
      const wasEmpty = texts.length === 0;
      let rest = written.trim();
      if (unsure && isSameNumber(unsure.from, from) && `${rest}\n`.startsWith(`${unsure.text}\n`)) {
        texts.push(unsure);
        rest = rest.slice(unsure.text.length).trim();
      }
      setUnsure(undefined);
      if (rest) texts.push({ text: rest, from, key: crypto.randomUUID() });
      keepTexts();
      askBeforeUnload();
      return wasEmpty;
    },

    /**
     * Sends the texts, also those that are added meanwhile.
     *
     * @param takeBack gets the texts that were not sent, if one of them fails
     */
    async send(
      post: (text: Text) => Promise<unknown>,
      takeBack: (texts: string[]) => void,
    ): Promise<void> {
      try {
        for (let next = texts[0]; next !== undefined; next = texts[0]) {
          await post(next);
          texts.shift();
          keepTexts();
        }
      } catch (error) {
        const failed = texts.splice(0);
        keepTexts();
        // The conversation shows a message with an unknown outcome, and says so.
        if (error instanceof Problem && error.code === 'outcome_unknown') failed.shift();
        else if (mayBeDone(error)) setUnsure(failed[0]);
        takeBack(failed.map(({ text }) => text));
        throw error;
      } finally {
        askBeforeUnload();
      }
    },

    isEmpty: () => texts.length === 0,
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
