import sql, { type Sql } from 'sql-template-tag';

export type RequestCount = {
  /** Which request of its minute this is, from 1. */
  minute_used: number;
  minute_reset_seconds: number;
  /** Messages granted to the token today, by this and all earlier requests. */
  day_used: number;
  day_reset_seconds: number;
};

/**
 * For a statement that has `moment (at)` and `asked (tenant_id, token_id, position, ...)`: raises
 * the minute of each token and gives `counted`, which is `asked` with `minute_used`. Rows are
 * locked in the order of their key, so that two such statements never wait for each other.
 */
export const countedMinute: Sql = sql`
  minute as (
    insert into token_minutes as kept (tenant_id, token_id, minute, requests)
    select tenant_id, token_id, date_trunc('minute', (select at from moment)), count(*)
    from asked group by tenant_id, token_id order by tenant_id, token_id
    on conflict (tenant_id, token_id) do update set
      requests = excluded.requests
        + case when kept.minute >= excluded.minute then kept.requests else 0 end,
      minute = greatest(kept.minute, excluded.minute)
    returning tenant_id, token_id, requests
  ), counted as (
    select asked.*,
           minute.requests
             - count(*) over (partition by asked.tenant_id, asked.token_id)
             + row_number() over (
                 partition by asked.tenant_id, asked.token_id order by asked.position
               ) as minute_used
    from asked join minute using (tenant_id, token_id)
  )`;

/** Seconds until the next minute and the next UTC day begin, as columns. */
export const resets: Sql = sql`
  ceil(extract(epoch from date_trunc('minute', moment.at) + interval '1 minute' - moment.at))::int
    as minute_reset_seconds,
  ceil(extract(epoch from
    date_trunc('day', moment.at at time zone 'utc') + interval '1 day'
      - moment.at at time zone 'utc'))::int as day_reset_seconds`;
