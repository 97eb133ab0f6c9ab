import { keep, kept } from '../../../../../../parts/behaviour/browser-storage.ts';
import { Problem } from '../../../../../../parts/behaviour/problem.ts';
import { draftOf, setDraft } from '../../../../../../parts/fields/use-draft.ts';
import { conversations as t } from '../../../../../../texts/conversations.ts';
import { mayBeDone } from '../../../../api/problems.ts';

/** A text to send, with its recipient, the number that sends it and the Idempotency-Key by which it goes out once. */
export type Text = {
  text: string;
  /** A phone or user id. A version of the dashboard before this one has kept none. */
  to?: string;
  from: string | undefined;
  key: string;
  /** When it was written, in milliseconds since 1970. */
  at: number;
  /** The id of the newest message of its conversation at that time. */
  after: number;
  /** The id of its message, once that is sent. */
  messageId?: number;
  /** Whether it may have been sent although a request for it failed. */
  mayBeSent?: boolean;
};

/** What a text lacks that an earlier version of the dashboard has kept. */
const ofEarlierVersion = { at: 0, after: 0 };

const settleAgainMs = 10_000;
/** The service knows a key for a day. But who wrote a text long ago may have called the person meanwhile. */
const settleWithinMs = 3_600_000;

/**
 * The text that came back to the beginning of a draft although it may have been sent. Like the draft, it stays when the
 * page is loaded again. It keeps its key, so that sending it again cannot send it twice. If its response was lost, it is
 * sent again automatically while it is unchanged, because only the response says whether it was sent.
 *
 * @param id of the draft
 */
export function createUnsureText(id: string) {
  const storageKey = `${id} unsure`;
  let unsure: Text | undefined;
  let settleNow = () => {};
  let timer: ReturnType<typeof setTimeout> | undefined;
  set(JSON.parse(kept('sessionStorage', storageKey) ?? 'null') ?? undefined);

  function set(text: Text | undefined): void {
    unsure = text && { ...ofEarlierVersion, ...text, mayBeSent: true };
    keep('sessionStorage', storageKey, unsure ? JSON.stringify(unsure) : null);
  }

  function trySettling(): void {
    clearTimeout(timer);
    if (!unsure || Date.now() - unsure.at > settleWithinMs) return;
    if (restAfter(unsure, draftOf(id)) !== undefined) settleNow();
  }

  function settleLater(): void {
    clearTimeout(timer);
    timer = setTimeout(trySettling, settleAgainMs);
  }

  return {
    get: () => unsure,
    set,
    trySettling,

    /**
     * Takes it out of what was written. If that does not begin with it, or another number was chosen, it is forgotten.
     *
     * @param from the number that sends; undefined before the numbers are known
     */
    takeFrom(written: string, from: string | undefined): { text?: Text; rest: string } {
      const text = unsure;
      const rest = text && isSameNumber(text.from, from) ? restAfter(text, written) : undefined;
      set(undefined);
      return text && rest !== undefined ? { text, rest } : { rest: written.trim() };
    },

    /**
     * Keeps a text whose request failed, if it may be sent nevertheless.
     *
     * @returns the problem, with words that say so
     */
    noteFailure(text: Text, error: unknown): unknown {
      if (!(error instanceof Problem) || isInConversation(error) || !mayBeSent(text, error)) {
        return error;
      }
      set(text);
      if (isLost(error)) settleLater();
      const words = t('mayBeSent', { problem: error.message });
      return new Problem(error.status, words, error.errors, error.code);
    },

    /** Sets the function that calls `settle`. */
    settleBy(run: () => void): void {
      settleNow = run;
    },

    /**
     * Sends it again, and takes it out of the draft if it is sent now.
     *
     * @param from the number that sends; with another one than before, the member decides
     * @throws Problem if it is refused, so it was not sent before either
     */
    async settle(post: (text: Text) => Promise<unknown>, from: string | undefined): Promise<void> {
      const text = unsure;
      if (!text || !isSameNumber(text.from, from)) return;
      try {
        await post(text);
      } catch (error) {
        // The member may have sent it again, or changed it.
        if (unsure !== text) return;
        if (isLost(error)) settleLater();
        if (mayBeSent(text, error) && !isInConversation(error)) return;
        set(undefined);
        if (isInConversation(error)) setDraft(id, restAfter(text, draftOf(id)) ?? draftOf(id));
        throw error;
      }
      if (unsure !== text) return;
      set(undefined);
      setDraft(id, restAfter(text, draftOf(id)) ?? draftOf(id));
    },
  };
}

/** Returns what is written after a text, and undefined if it is not at the beginning, unchanged. */
function restAfter({ text }: Text, written: string): string | undefined {
  const all = written.trim();
  return `${all}\n`.startsWith(`${text}\n`) ? all.slice(text.length).trim() : undefined;
}

/** Whether the conversation shows a message with an unknown outcome, and says so. */
export function isInConversation(error: unknown): boolean {
  return error instanceof Problem && error.code === 'outcome_unknown';
}

/** Whether the service did not respond. A proxy responds with 502 and more while it is away. */
function isLost(error: unknown): boolean {
  return error instanceof Problem && (error.status === 0 || error.status > 500);
}

/**
 * Whether a message may be sent although a request for it failed. After a lost response, only a refusal of the message
 * itself says that it was not. A session that has ended and a limit of requests say nothing.
 */
export function mayBeSent(before: { mayBeSent?: boolean }, error: unknown): boolean {
  // A refused key says nothing: the body may be another one now, because the person has another phone.
  const isRefused =
    error instanceof Problem && error.status === 422 && !error.errors['Idempotency-Key'];
  return mayBeDone(error) || (before.mayBeSent === true && !isRefused);
}

/** Whether two messages are of the same number, as far as is known: without a number, the service chooses. */
export function isSameNumber(one: string | undefined, other: string | undefined): boolean {
  return one === undefined || other === undefined || one === other;
}
