import { collectDefaultMetrics, Gauge } from 'prom-client';
import type { Database } from '../platform/database/database.ts';
import type { Log } from '../platform/log.ts';
import type { Metrics } from '../platform/metrics.ts';
import { answerInTime } from './answer-in-time.ts';
import { countTroubles, findQueueStates } from './queries.ts';

/**
 * Adds what has to be looked at: queues and troubles of all tenants, which every process sees alike,
 * and the connections, memory and event loop of this one.
 *
 * @returns looks anew; what the database does not tell is left out
 */
export function observeState({
  db,
  log,
  metrics: { registry },
}: {
  db: Database;
  log: Log;
  metrics: Metrics;
}): () => Promise<void> {
  collectDefaultMetrics({ register: registry });
  const gauge = (name: string, help: string, labelNames: string[] = []) =>
    new Gauge({ name, help, labelNames, registers: [registry] });
  const isUp = gauge('parley_database_up', '1 when the database answers, else 0.');
  const connections = gauge(
    'parley_database_connections',
    'Connections of this process to the database: busy or idle.',
    ['state'],
  );
  const waiting = gauge(
    'parley_database_waiting',
    'Statements of this process that wait for a connection.',
  );
  const due = gauge('parley_queue_due', 'What is due now, counted to a thousand of each tenant.', [
    'queue',
  ]);
  const oldest = gauge(
    'parley_queue_oldest_due_seconds',
    'How long the first of what is due has waited, of all tenants.',
    ['queue'],
  );
  const troubled = gauge(
    'parley_troubled',
    'Numbers that the network does not take as they are; webhooks switched off for failing; webhook quotas that are full.',
    ['what'],
  );

  async function askDatabase(): Promise<void> {
    const asked = [findQueueStates(db.batched), countTroubles(db)] as const;
    const [queues, { numbers, webhooks, quotas }] = await answerInTime(Promise.all(asked));
    for (const state of queues) {
      due.set({ queue: state.queue }, state.due);
      oldest.set({ queue: state.queue }, state.oldest_seconds);
    }
    troubled.set({ what: 'numbers' }, numbers);
    troubled.set({ what: 'webhooks' }, webhooks);
    troubled.set({ what: 'webhook_quotas' }, quotas);
  }

  return async () => {
    try {
      await askDatabase();
      isUp.set(1);
    } catch (err) {
      log.debug({ err }, 'the database does not tell its state');
      for (const known of [due, oldest, troubled]) known.reset();
      isUp.set(0);
    }
    const usage = db.usage();
    connections.set({ state: 'busy' }, usage.busy);
    connections.set({ state: 'idle' }, usage.idle);
    waiting.set(usage.waiting);
  };
}
