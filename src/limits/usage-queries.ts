import sql from 'sql-template-tag';
import type { Db } from '../platform/database/database.ts';
import { rowsOf } from '../platform/database/rows-of.ts';
import { statement } from '../platform/database/statement.ts';
import { notifyTopic } from '../tenants/watched-topics.ts';

/** The usage of a token on a day, or in a part of it. */
export type TokenUsage = {
  tenantId: number;
  tokenId: number;
  /** UTC, `YYYY-MM-DD`. */
  day: string;
  lastUsedAt: Date;
  requests: number;
  /** Requests with a 4xx and with a 5xx response. */
  refusals: number;
  failures: number;
  /** Messages that the network accepted. */
  texts: number;
  media: number;
  templates: number;
};

/** Adds usage to the days of many tokens, and stores when each token was last used. */
export async function addUsage(db: Db, usages: TokenUsage[]): Promise<void> {
  const inOrder = usages.toSorted(
    (a, b) => a.tenantId - b.tenantId || a.tokenId - b.tokenId || (a.day < b.day ? -1 : 1),
  );
  await db.query(
    statement(
      'add-usage',
      sql`
        with usage as (
          select usage.*
          from ${rowsOf('usage', inOrder, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            token_id: ['bigint', ({ tokenId }) => tokenId],
            day: ['date', ({ day }) => day],
            last_used_at: ['timestamptz', ({ lastUsedAt }) => lastUsedAt],
            requests: ['bigint', ({ requests }) => requests],
            refusals: ['bigint', ({ refusals }) => refusals],
            failures: ['bigint', ({ failures }) => failures],
            texts: ['bigint', ({ texts }) => texts],
            media: ['bigint', ({ media }) => media],
            templates: ['bigint', ({ templates }) => templates],
          })}
          -- A tenant may have been deleted in the meantime.
          join tokens on tokens.tenant_id = usage.tenant_id and tokens.id = usage.token_id
        ), used as (
          update tokens set last_used_at = greatest(tokens.last_used_at, usage.last_used_at)
          from (
            select tenant_id, token_id, max(last_used_at) as last_used_at
            from usage group by tenant_id, token_id order by tenant_id, token_id
          ) as usage
          where tokens.tenant_id = usage.tenant_id and tokens.id = usage.token_id
        )
        insert into token_usage as stored
          (tenant_id, token_id, day, requests, refusals, failures, texts, media, templates)
        select tenant_id, token_id, day, requests, refusals, failures, texts, media, templates
        from usage order by tenant_id, token_id, day
        on conflict (tenant_id, token_id, day) do update set
          requests = stored.requests + excluded.requests,
          refusals = stored.refusals + excluded.refusals,
          failures = stored.failures + excluded.failures,
          texts = stored.texts + excluded.texts,
          media = stored.media + excluded.media,
          templates = stored.templates + excluded.templates
        returning ${notifyTopic('usage', sql`stored.tenant_id`)}`,
    ),
  );
}

export type UsageRow = Omit<TokenUsage, 'tenantId' | 'tokenId' | 'lastUsedAt'> & {
  token_id: number;
  token_name: string;
  /**
   * Messages that count against the day's limit. The number is exact, and includes unknown
   * outcomes.
   */
  messages: number;
};

/**
 * Lists the usage of each token of a tenant by day (UTC), newest day first.
 *
 * @param period first and last day, `YYYY-MM-DD`
 */
export async function listUsage(
  db: Db,
  tenantId: number,
  { from, to }: { from: string; to: string },
): Promise<UsageRow[]> {
  const { rows } = await db.query<UsageRow>(sql`
    with usage as (
      select * from token_usage where tenant_id = ${tenantId} and day between ${from} and ${to}
    ), counted as (
      select tenant_id, token_id, day, messages
      from token_days
      where tenant_id = ${tenantId} and day between ${from} and ${to} and messages > 0
    )
    select token_id, tokens.name as token_name, day::text,
           coalesce(requests, 0) as requests, coalesce(refusals, 0) as refusals,
           coalesce(failures, 0) as failures, coalesce(texts, 0) as texts,
           coalesce(media, 0) as media, coalesce(templates, 0) as templates,
           coalesce(messages, 0) as messages
    from usage full join counted using (tenant_id, token_id, day)
    join tokens on tokens.tenant_id = ${tenantId} and tokens.id = token_id
    order by day desc, token_id`);
  return rows;
}
