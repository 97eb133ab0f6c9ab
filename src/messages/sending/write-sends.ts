import sql, { type Sql } from 'sql-template-tag';
import { reachedColumns, recordedStates } from '../../events/record-message-events.ts';
import { untilConnected } from '../../platform/connections/until-connected.ts';
import { createBatch } from '../../platform/database/batching.ts';
import type { Database, Db } from '../../platform/database/database.ts';
import { isConnectionLost } from '../../platform/database/failures/lost-connection.ts';
import { createFairBatch } from '../../platform/database/fair-batching.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Log } from '../../platform/log.ts';
import type { Tracing } from '../../platform/tracing/tracing.ts';
import { changeText } from '../conversations/live/conversation-changes.ts';
import { phoneOfMessage } from '../conversations/person.ts';
import { earliestSent } from '../queries.ts';
import { retryStateRace } from '../retry-state-race.ts';
import { awaitConversations, type BegunSend, beginSends, type NewMessage } from './begin-sends.ts';
import { type Completion, neverCalled } from './send-outcome.ts';

/** An attempt of a request with an Idempotency-Key, which stores one message. */
type StoredAttempt = { tenantId: number; attemptId: number };

type Step = { message: NewMessage } | { completed: Completion };

/**
 * Stores the beginning and the end of sends: `begin` before the network is called, `complete` afterwards. Steps
 * that arrive at the same time share one statement, the ends of some sends with the beginnings of others.
 */
export function createSendWriter({
  db,
  log,
  tracing,
}: {
  db: Database;
  log: Log;
  tracing: Tracing;
}) {
  const step = createFairBatch<Step, BegunSend | undefined>({
    lanes: db.lanes.fair,
    run: (steps) => retryStateRace(() => runSteps(steps)),
    // A send is counted first, and the other requests of its token need that count.
    awaitLocks: (steps) => awaitConversations(db.fair, messagesOf(steps)),
    maxSize: 1_000,
    tenantOf: (step) => ('message' in step ? step.message : step.completed).tenantId,
    // The end of a send does not wait until the conversation of another one is unlocked.
    laneOf: (step) => ('message' in step ? 'begin' : 'end'),
  });
  // Refunds are a batch of their own, because they lock the tokens' days after the states, not before them.
  const completeRefunded = createFairBatch<Completion, void>({
    lanes: db.lanes.fair,
    run: (completed) => retryStateRace(() => completeSends(db.fair, completed)),
    maxSize: 500,
    tenantOf: ({ tenantId }) => tenantId,
  });

  const findStored = createBatch<StoredAttempt, number | null>({
    run: (attempts) => findMessages(db.batched, attempts),
    maxSize: 1_000,
  });

  async function runSteps(steps: Step[]): Promise<(BegunSend | undefined)[]> {
    const messages = messagesOf(steps);
    const completed = steps.flatMap((step) => ('completed' in step ? step.completed : []));
    if (messages.length === 0) {
      await completeSends(db.fair, completed);
      return steps.map(() => undefined);
    }
    const ends = completed.length > 0 ? completedStates(completed) : undefined;
    const begun = await beginSends(db.fair, messages, ends);
    let next = 0;
    return steps.map((step) => ('message' in step ? begun[next++] : undefined));
  }

  const complete = async (completed: Completion): Promise<void> => {
    const store = async () => {
      await (completed.refunded ? completeRefunded(completed) : step({ completed }));
    };
    await tracing.span('store its outcome', { kind: 'internal' }, () =>
      // If it was stored already, storing it again changes nothing.
      untilConnected(store, isConnectionLost),
    );
  };

  /** Marks the message of an attempt as failed, if it was stored: the network was certainly not called. */
  async function withdraw({ tenantId, attemptId }: StoredAttempt): Promise<void> {
    const id = await untilConnected(() => findStored({ tenantId, attemptId }), isConnectionLost);
    if (id !== null) await complete({ tenantId, id, ...neverCalled });
  }

  return {
    /**
     * Without a connection, the message may be stored or not. That of an attempt is then ended in the background, so
     * that a retry of the request may send it; nothing else can find it.
     */
    begin: async (message: NewMessage): Promise<BegunSend> => {
      const { tenantId, attemptId } = message;
      const store = () => step({ message });
      try {
        return (await tracing.span('store the message', { kind: 'internal' }, store))!;
      } catch (error) {
        if (attemptId !== null && isConnectionLost(error)) {
          withdraw({ tenantId, attemptId }).catch((err) =>
            log.error({ err, tenantId }, 'a message that was not sent may be shown as unknown'),
          );
        }
        throw error;
      }
    },
    /** Repeats this while there is no connection, because the network cannot be asked again how a send ended. */
    complete,
  };
}

function messagesOf(steps: Step[]): NewMessage[] {
  return steps.flatMap((step) => ('message' in step ? step.message : []));
}

/** Finds the messages that attempts stored, in the order of the attempts. */
async function findMessages(db: Db, attempts: StoredAttempt[]): Promise<(number | null)[]> {
  const { rows } = await db.query<{ id: number | null }>(
    statement(
      'find-messages-of-attempts',
      sql`
        select (
          select id from messages
          where messages.tenant_id = attempt.tenant_id and messages.run_id = attempt.run_id
        ) as id
        from ${rowsOf('attempt', attempts, {
          tenant_id: ['bigint', ({ tenantId }) => tenantId],
          run_id: ['bigint', ({ attemptId }) => attemptId],
        })}`,
    ),
  );
  return rows.map(({ id }) => id);
}

/**
 * Completes many sends in one statement, and subtracts those that the network refused from the days of their
 * tokens.
 */
export async function completeSends(db: Db, completed: Completion[]): Promise<void> {
  const isRefunding = completed.some(({ refunded }) => refunded);
  await db.query(
    isRefunding
      ? statement(
          'end-and-refund-sends',
          sql`
            with ${completedStates(completed)}
            update token_days set messages = token_days.messages - refused.messages
            from (
              select done.tenant_id, token_id, (done.created_at at time zone 'utc')::date as day,
                     count(*) as messages
              from done join completed on completed.tenant_id = done.tenant_id and message_id = done.id
              -- Not a second time, if the statement is repeated.
              where refunded and token_id is not null and earlier_status is distinct from 'failed'
              group by 1, 2, 3 order by 1, 2, 3
            ) as refused
            where token_days.tenant_id = refused.tenant_id and token_days.token_id = refused.token_id
              and token_days.day = refused.day`,
        )
      : statement('end-sends', sql`with ${completedStates(completed)} select from completed`),
  );
}

/**
 * Builds the CTEs that store how sends ended, and their events. If a status callback arrived first, the further
 * status wins. `returning` notifies the dashboards that watch these conversations (docs/decisions/0018);
 * PostgreSQL evaluates it even if nothing reads the result.
 */
export function completedStates(completed: Completion[]): Sql {
  // All statements lock states in this order.
  const inOrder = completed.toSorted((a, b) => a.tenantId - b.tenantId || a.id - b.id);
  return sql`
    done as materialized (
      select done.*, messages.created_at, messages.token_id
      from ${rowsOf('done', inOrder, {
        tenant_id: ['bigint', ({ tenantId }) => tenantId],
        id: ['bigint', ({ id }) => id],
        status: ['message_status', ({ status }) => status],
        network_id: ['text', ({ networkId }) => networkId],
        error: ['jsonb', ({ error }) => error && JSON.stringify(error)],
        refunded: ['boolean', ({ refunded }) => refunded],
      })}
      join messages on messages.tenant_id = done.tenant_id and messages.id = done.id
    ), completed as (
      insert into message_states as state
        (tenant_id, message_id, created_at, status, network_id, error, sent_at, failed_at)
      select tenant_id, id, created_at, status, network_id, error,
             case when status = 'sent' then now() end, case when status = 'failed' then now() end
      from done
      on conflict (tenant_id, message_id) do update set
        status = greatest(state.status, excluded.status),
        earlier_status = state.status,
        network_id = coalesce(state.network_id, excluded.network_id),
        error = coalesce(state.error, excluded.error),
        sent_at = ${earliestSent()},
        failed_at = coalesce(state.failed_at, excluded.failed_at)
      returning ${reachedColumns}, (
        select pg_notify('conversation', state.tenant_id || ' ' || (
          select ${changeText(phoneOfMessage, sql`messages.id`)} from messages
          where messages.tenant_id = state.tenant_id and messages.id = state.message_id))
        from conversation_watches
        where conversation_watches.tenant_id = state.tenant_id and until > now()
      ) as notified
    ), ${recordedStates(sql`completed`)}`;
}

/** Completes one send within a transaction, with the planner settings of `Database.batched`. */
export async function completeWithin(tx: Db, completion: Completion): Promise<void> {
  await tx.query(sql`set local enable_seqscan = off`);
  await completeSends(tx, [completion]);
}
