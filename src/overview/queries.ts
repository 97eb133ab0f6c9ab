import sql from 'sql-template-tag';
import type { Db } from '../platform/database.ts';

export type DayRow = {
  day: string;
  delivered: number;
  on_the_way: number;
  failed: number;
  unknown: number;
  received: number;
};

/** Messages of each of the last `days` days (UTC) by what became of them, today last. */
export async function countByDay(
  db: Db,
  tenantId: number,
  days: number,
  clockOffsetMs: number,
): Promise<DayRow[]> {
  const { rows } = await db.query<DayRow>(sql`
    with today as (
      select ((now() + ${clockOffsetMs}::float8 * interval '1 ms') at time zone 'utc')::date as day
    ), counted as (
      select (created_at at time zone 'utc')::date as day,
        count(*) filter (where direction = 'out' and status in ('delivered', 'read')) as delivered,
        count(*) filter (where direction = 'out' and status in ('sent', 'accepting')) as on_the_way,
        count(*) filter (where direction = 'out' and status = 'failed') as failed,
        count(*) filter (where direction = 'out' and status = 'unknown') as unknown,
        count(*) filter (where direction = 'in') as received
      from messages, today
      where tenant_id = ${tenantId}
        and created_at >= (today.day - ${days - 1}::int)::timestamp at time zone 'utc'
      group by 1
    )
    select to_char(each.day, 'YYYY-MM-DD') as day,
      coalesce(delivered, 0) as delivered, coalesce(on_the_way, 0) as on_the_way,
      coalesce(failed, 0) as failed, coalesce(unknown, 0) as unknown,
      coalesce(received, 0) as received
    from today
    cross join lateral
      generate_series(today.day - ${days - 1}::int, today.day, interval '1 day') as each (day)
    left join counted on counted.day = each.day
    order by each.day`);
  return rows;
}

/** The most frequent reasons for failure in the last `days` days. */
export async function topFailures(
  db: Db,
  tenantId: number,
  days: number,
): Promise<{ code: number | null; title: string; messages: number; last_at: Date }[]> {
  const { rows } = await db.query<{
    code: number | null;
    title: string;
    messages: number;
    last_at: Date;
  }>(sql`
    select (error->>'code')::int as code,
           coalesce(max(error->>'title'), 'No reason was given') as title,
           count(*) as messages, max(coalesce(failed_at, created_at)) as last_at
    from messages
    where tenant_id = ${tenantId} and status = 'failed'
      and created_at > now() - ${days}::int * interval '1 day'
    group by 1 order by 3 desc limit 5`);
  return rows;
}

/** What of the first steps is done, and what a person should look at. */
export async function findSetup(db: Db, tenantId: number) {
  const { rows } = await db.query<{
    number: boolean;
    token: boolean;
    message: boolean;
    problems: { phone: string; problem: string }[];
    seen_in_clear: string[];
  }>(sql`
    select
      exists (select from numbers where tenant_id = t.id and disconnected_at is null) as number,
      t.api_access and exists (
        select from tokens where tenant_id = t.id and not internal and activated_at is not null
          and revoked_at is null and (expires_at is null or expires_at > now())) as token,
      exists (select from messages where tenant_id = t.id and direction = 'out') as message,
      coalesce((
        select json_agg(json_build_object(
          'phone', coalesce(display_phone_number, phone_number_id), 'problem', problem))
        from numbers
        where tenant_id = t.id and disconnected_at is null and problem is not null), '[]'
      ) as problems,
      coalesce((
        select json_agg(name order by seen_in_clear_at) from tokens
        where tenant_id = t.id and seen_in_clear_at is not null and revoked_at is null), '[]'
      ) as seen_in_clear
    from tenants t where t.id = ${tenantId}`);
  return rows[0]!;
}
