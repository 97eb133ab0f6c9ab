import { createBatch } from '../../platform/database/batching.ts';
import type { Database } from '../../platform/database/database.ts';
import { isConnectionLost } from '../../platform/database/lost-connection.ts';
import { untilConnected } from '../../platform/database/until-connected.ts';
import type { Tracing } from '../../platform/tracing/tracing.ts';
import { retryStateRace } from '../retry-state-race.ts';
import { type BegunSend, beginSends, type NewMessage } from './begin-sends.ts';
import { type Completion, completeSends } from './complete-sends.ts';

type Step = { message: NewMessage } | { completed: Completion };

/**
 * Stores the beginning and the end of sends: `begin` before the network is called, `complete` afterwards. Steps
 * that arrive at the same time share one statement, the ends of some sends with the beginnings of others.
 */
export function createSendWriter({ db, tracing }: { db: Database; tracing: Tracing }) {
  const step = createBatch<Step, BegunSend | undefined>({
    run: (steps) => retryStateRace(() => runSteps(steps)),
    maxSize: 1_000,
  });
  // Refunds are a batch of their own, because they lock the tokens' days after the states, not before them.
  const completeRefunded = createBatch<Completion, void>({
    run: async (completed) => {
      await retryStateRace(() => completeSends(db.batched, completed));
      return [];
    },
    maxSize: 500,
  });

  async function runSteps(steps: Step[]): Promise<(BegunSend | undefined)[]> {
    const messages = steps.flatMap((step) => ('message' in step ? step.message : []));
    const completed = steps.flatMap((step) => ('completed' in step ? step.completed : []));
    if (messages.length === 0) {
      await completeSends(db.batched, completed);
      return steps.map(() => undefined);
    }
    const begun = await beginSends(db.batched, messages, completed);
    let next = 0;
    return steps.map((step) => ('message' in step ? begun[next++] : undefined));
  }

  return {
    begin: async (message: NewMessage): Promise<BegunSend> =>
      (await tracing.span('store the message', { kind: 'internal' }, () => step({ message })))!,
    /** Repeats this while there is no connection, because the network cannot be asked again how a send ended. */
    complete: async (completed: Completion): Promise<void> => {
      await tracing.span<unknown>('store its outcome', { kind: 'internal' }, () =>
        completed.refunded
          ? untilConnected(() => completeRefunded(completed))
          : // If it was stored already, storing it again changes nothing.
            untilConnected(() => step({ completed }), isConnectionLost),
      );
    },
  };
}
