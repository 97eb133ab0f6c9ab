import type { Clock } from '../../platform/clock.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import type { NewMessage } from './begin-queries.ts';
import { type Completion, completeMessages } from './send-queries.ts';
import { type WrittenDown, writeDownMessages } from './write-down-messages.ts';

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

  async function takeSteps(steps: Step[]): Promise<(WrittenDown | undefined)[]> {
    const messages = steps.flatMap((step) => ('message' in step ? step.message : []));
    const completed = steps.flatMap((step) => ('completed' in step ? step.completed : []));
    if (messages.length === 0) {
      await completeMessages(db.batched, completed, clock.offsetMs);
      return steps.map(() => undefined);
    }
    const written = await writeDownMessages(db.batched, messages, completed, clock.offsetMs);
    let next = 0;
    return steps.map((step) => ('message' in step ? written[next++] : undefined));
  }

  return {
    writeDown: async (message: NewMessage) => (await step({ message }))!,
    complete: async (completed: Completion): Promise<void> => {
      await (completed.refunded ? completeRefunded(completed) : step({ completed }));
    },
  };
}
