import sql, { join, type Sql } from 'sql-template-tag';
import type { CauseKind } from '../cause.ts';
import type { RecordStatus } from '../record-schema.ts';

/** The key of a conversation, and its last message if later ones belong to another contact. */
export type PersonFilter = { person: string; upToId?: number };

/** The conditions for the messages of a list. A message must meet all of them. */
export type RecordFilter = {
  /** Our id of the only message. */
  id?: number | undefined;
  /** The conversations, at least one; undefined for all. */
  people?: PersonFilter[] | undefined;
  /** Our id of the number. */
  numberId?: number | undefined;
  direction?: 'out' | 'in' | undefined;
  status?: RecordStatus | undefined;
  /** Failed with this code of the network, or without any. */
  errorCode?: number | 'none' | undefined;
  type?: string | undefined;
  cause?: CauseKind | undefined;
  reference?: string | undefined;
  from?: Date | undefined;
  /** Messages from this time on are left out. */
  to?: Date | undefined;
};

/** The condition of a filter, on `messages` and their `state`. */
export function passes(tenantId: number, filter: RecordFilter): Sql {
  const { id, people, numberId, direction, status, errorCode, type, cause, reference } = filter;
  const conditions = [
    id !== undefined && sql`messages.id = ${id}`,
    people !== undefined && sql`(${join(people.map(isOf), ' or ')})`,
    numberId !== undefined && sql`messages.number_id = ${numberId}`,
    direction !== undefined && sql`messages.direction = ${direction}`,
    status !== undefined && hasStatus(status),
    errorCode !== undefined && sql`state.status = 'failed' and ${hasErrorCode(errorCode)}`,
    type !== undefined && sql`messages.kind = ${type}`,
    cause !== undefined && hasCause(tenantId, cause),
    reference !== undefined && sql`messages.reference = ${reference}`,
    isWithin(sql`messages.created_at`, filter),
  ].filter((condition) => condition !== false);
  return join(conditions, ' and ');
}

function isOf({ person, upToId }: PersonFilter): Sql {
  return upToId === undefined
    ? sql`messages.person = ${person}`
    : sql`(messages.person = ${person} and messages.id <= ${upToId})`;
}

/** Whether a time is in the period of a filter. */
export function isWithin(time: Sql, { from, to }: Pick<RecordFilter, 'from' | 'to'>): Sql {
  return sql`${from ? sql`${time} >= ${from}` : sql`true`} and ${to ? sql`${time} < ${to}` : sql`true`}`;
}

/** A message that is being sent has no outcome yet either, so it counts as `unknown`. */
function hasStatus(status: RecordStatus): Sql {
  return status === 'unknown'
    ? sql`coalesce(state.status, 'unknown') = 'unknown'`
    : sql`state.status = ${status}`;
}

/** A condition on the error of a state, by the expression of the index `message_states_failed`. */
export function hasErrorCode(code: number | 'none', state = sql`state`): Sql {
  return sql`failure_code('failed', ${state}.error) = ${code === 'none' ? -1 : code}`;
}

/** Older versions stored only the internal token of a message that was sent in the dashboard. */
function hasCause(tenantId: number, cause: CauseKind): Sql {
  const isInternal = sql`exists (
    select from tokens
    where tokens.tenant_id = ${tenantId} and tokens.id = messages.token_id and tokens.internal)`;
  const hasNone = sql`messages.cause is null and messages.token_id is not null`;
  if (cause === 'api') return sql`${hasNone} and not ${isInternal}`;
  if (cause === 'member') return sql`(messages.cause = 'member' or ${hasNone} and ${isInternal})`;
  return sql`messages.cause = ${cause}`;
}
