import sql, { join, type Sql } from 'sql-template-tag';
import { hasErrorCode, isWithin, type PersonFilter, type RecordFilter } from './record-filter.ts';

/** The place of a message in a list: microseconds since 1970, and our id. */
export type RecordPosition = [createdAt: number, id: number];

/**
 * The maximum number of messages that a page looks at. A filter without an index of its own may leave most of them
 * out, so this bounds the cost of a page, however many messages there are.
 */
export const maxScanned = 5_000;

/**
 * Selects the messages that a page looks at, as `id` and `created_at`, by the index that suits the filter best. The
 * messages of one person are in the order of their ids, as in the conversation. All others are in the order of their
 * times.
 *
 * @param after only messages after this position of the list
 */
export function scanOf(
  tenantId: number,
  filter: RecordFilter,
  after: RecordPosition | undefined,
): { scan: Sql; orderBy: (table: Sql) => Sql } {
  const people = isSelective(filter) ? undefined : filter.people;
  const orderBy = (table: Sql) =>
    people ? sql`${table}.id desc` : sql`${table}.created_at desc, ${table}.id desc`;
  const scan = people
    ? byPeople(tenantId, people, after?.[1] ?? Number.MAX_SAFE_INTEGER)
    : byTime(tenantId, filter, after, orderBy(sql`scanned`));
  return { scan, orderBy };
}

/** Each conversation has its own part of the index. */
function byPeople(tenantId: number, people: PersonFilter[], beforeId: number): Sql {
  const parts = people.map(
    ({ person, upToId = Number.MAX_SAFE_INTEGER }) => sql`
      select id, created_at from messages as scanned
      where tenant_id = ${tenantId} and person = ${person}
        and id < ${Math.min(beforeId, upToId + 1)}
      order by scanned.person desc, scanned.id desc limit ${maxScanned}`,
  );
  if (parts.length === 1) return parts[0]!;
  const all = join(
    parts.map((part) => sql`(${part})`),
    ' union all ',
  );
  return sql`select * from (${all}) as scanned order by scanned.id desc limit ${maxScanned}`;
}

/** A time in microseconds, which JSON in a cursor represents exactly. */
export function microseconds(time: Sql): Sql {
  return sql`(extract(epoch from ${time}) * 1000000)::bigint`;
}

function byTime(
  tenantId: number,
  filter: RecordFilter,
  after: RecordPosition | undefined,
  order: Sql,
): Sql {
  const isNext = (id: Sql) => sql`
    ${isWithin(sql`scanned.created_at`, filter)}
    and ${after ? sql`(scanned.created_at, ${id}) < (${timeOf(after)}, ${after[1]})` : sql`true`}`;
  const { status, errorCode } = filter;
  if (!isSelective(filter)) {
    if (errorCode !== undefined) return byErrorCode(tenantId, errorCode, isNext);
    if (status === 'failed' || status === 'unknown')
      return byState(tenantId, status, isNext, order);
  }
  return sql`
    select id, created_at from messages as scanned
    where tenant_id = ${tenantId} and ${indexed(filter)} and ${isNext(sql`scanned.id`)}
    order by ${order} limit ${maxScanned}`;
}

/** Whether the filter has an id or a reference, which few messages have, so that its index is the best. */
function isSelective({ id, reference }: RecordFilter): boolean {
  return id !== undefined || reference !== undefined;
}

/** The part of a filter that has an index. */
function indexed({ id, reference, cause, direction, status }: RecordFilter): Sql {
  if (id !== undefined) return sql`id = ${id}`;
  if (reference !== undefined) return sql`reference = ${reference}`;
  // Messages of tokens have no stored cause. Most messages are theirs, so an index would not help.
  if (cause !== undefined && cause !== 'api' && cause !== 'member') return sql`cause = ${cause}`;
  if (direction === 'in' || status === 'received') return sql`direction = 'in'`;
  return sql`created_at > '-infinity'`;
}

/** A message that was delivered after all keeps its error, so not all that are found have failed. */
function byErrorCode(tenantId: number, code: number | 'none', isNext: (id: Sql) => Sql): Sql {
  return sql`
    select message_id as id, created_at from message_states as scanned
    where tenant_id = ${tenantId} and ${hasErrorCode(code, sql`scanned`)} and failed_at is not null
      and ${isNext(sql`scanned.message_id`)}
    order by scanned.created_at desc, scanned.message_id desc limit ${maxScanned}`;
}

/** Uses the index of failed and unknown states. Messages that are being sent are unknown too, but few. */
function byState(
  tenantId: number,
  status: 'failed' | 'unknown',
  isNext: (id: Sql) => Sql,
  order: Sql,
): Sql {
  const stored = sql`
    select message_id as id, created_at from message_states as scanned
    where tenant_id = ${tenantId} and (failed_at is not null or network_id is null)
      and ${isNext(sql`scanned.message_id`)}
    order by scanned.created_at desc, scanned.message_id desc limit ${maxScanned}`;
  if (status === 'failed') return stored;
  return sql`
    select * from (
      (${stored})
      union all
      select id, created_at from messages as scanned
      where tenant_id = ${tenantId} and direction = 'out'
        and id > (select done_to from message_walks where name = 'abandoned')
        and ${isNext(sql`scanned.id`)}
        and not exists (
          select from message_states as state
          where state.tenant_id = ${tenantId} and state.message_id = scanned.id)
    ) as scanned
    order by ${order} limit ${maxScanned}`;
}

function timeOf([microseconds]: RecordPosition): Sql {
  return sql`'epoch'::timestamptz + ${microseconds}::float8 * interval '1 microsecond'`;
}
