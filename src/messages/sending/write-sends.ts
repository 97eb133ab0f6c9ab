import type { Clock } from '../../platform/clock.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import type { NewMessage, WrittenDown } from './new-messages.ts';
import { type Completion, completeMessages } from './send-queries.ts';
import { isOverLimit, writeDownAll } from './write-down-all.ts';
import { writeDownWhatFits } from './write-down-what-fits.ts';

type Step = { message: NewMessage } | { completed: Completion };

/**
 * Writes the two ends of sends: `writeDown` before the network is called, `complete` after. What
 * is asked for at one time goes as one statement, the ends of some sends with the beginnings of
 * others.
 */
export function createSendWriter({ db, clock }: { db: Database; clock: Clock }) {
  const step = createBatch<Step, WrittenDown | undefined>({ run: takeSteps, maxSize: 1_000 });
  // Apart, because giving a place of the day back locks out of the order of the sends.
  const completeRefunded = createBatch<Completion, void>({
    run: async (completed) => {
      await completeMessages(db.batched, completed, clock.offsetMs);
      return [];
    },
    maxSize: 500,
  });
  /** Tokens that were at a limit a moment ago, by their keys: most likely they still are. */
  const atLimit = new Set<string>();

  async function takeSteps(steps: Step[]): Promise<(WrittenDown | undefined)[]> {
    const messages = steps.flatMap((step) => ('message' in step ? step.message : []));
    const completed = steps.flatMap((step) => ('completed' in step ? step.completed : []));
    const written = await write(messages, completed);
    let next = 0;
    return steps.map((step) => ('message' in step ? written[next++] : undefined));
  }

  async function write(messages: NewMessage[], completed: Completion[]): Promise<WrittenDown[]> {
    if (messages.length > 0 && !messages.some((message) => atLimit.has(keyOf(message)))) {
      try {
        return await writeDownAll(db.batched, messages, completed, clock.offsetMs);
      } catch (error) {
        if (!isOverLimit(error)) throw error;
      }
    }
    // The first may be done twice, the second not: should it fail, the batch begins anew.
    if (completed.length > 0) await completeMessages(db.batched, completed, clock.offsetMs);
    if (messages.length === 0) return [];
    const written = await writeDownWhatFits(db.batched, messages, clock.offsetMs);
    written.forEach(({ id }, index) => {
      if (id === null) noteAtLimit(keyOf(messages[index]!));
    });
    return written;
  }

  function noteAtLimit(key: string) {
    if (atLimit.has(key)) return;
    atLimit.add(key);
    setTimeout(() => atLimit.delete(key), 5_000).unref();
  }

  return {
    writeDown: async (message: NewMessage) => (await step({ message }))!,
    complete: async (completed: Completion): Promise<void> => {
      await (completed.refunded ? completeRefunded(completed) : step({ completed }));
    },
  };
}

const keyOf = ({ tenantId, tokenId }: NewMessage) => `${tenantId} ${tokenId}`;
