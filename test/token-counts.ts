import type { TestApp } from './app.ts';

/** Sets what tokens have used of this minute and of this day so far. */
export async function setCounts(
  { db, clock }: TestApp,
  tokenIds: number[],
  { requests = 0, messages = 0 }: { requests?: number; messages?: number },
): Promise<void> {
  await db.pool.query(
    `insert into token_days (tenant_id, token_id, day, minute, requests, messages, granted)
     select tenant_id, id, (at at time zone 'utc')::date, date_trunc('minute', at), $3, $4, 0
     from tokens cross join (select now() + $2 * interval '1 ms' as at) as moment
     where id = any($1)
     on conflict (tenant_id, token_id, day) do update set
       minute = excluded.minute, requests = excluded.requests, messages = excluded.messages`,
    [tokenIds, clock.offsetMs, requests, messages],
  );
}
