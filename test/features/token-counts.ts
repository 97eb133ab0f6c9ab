import type { TestApp } from '../program/app.ts';

/** Sets what tokens have used of the current minute and day. */
export async function setCounts(
  { db }: TestApp,
  tokenIds: number[],
  { requests = 0, messages = 0 }: { requests?: number; messages?: number },
): Promise<void> {
  await db.pool.query(
    `insert into token_days (tenant_id, token_id, day, minute, requests, messages, granted)
     select tenant_id, id, (now() at time zone 'utc')::date, date_trunc('minute', now()), $2, $3, 0
     from tokens where id = any($1)
     on conflict (tenant_id, token_id, day) do update set
       minute = excluded.minute, requests = excluded.requests, messages = excluded.messages`,
    [tokenIds, requests, messages],
  );
}
