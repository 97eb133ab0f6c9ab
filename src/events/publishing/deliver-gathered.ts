import sql, { type Sql } from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { firstOfEach } from '../../platform/database/first-of-each.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { insertedDeliveries } from '../../webhooks/insert-deliveries.ts';

/** The messages of one event. The others of the conversation are the next event. */
const maxMessages = 100;
/** An event ends with the message that exceeds this. */
const maxEventBytes = 1024 * 1024;
/** The messages of one statement end with the conversation that exceeds this. */
const maxBytes = 4 * 1024 * 1024;
/** The conversations of one statement, and the due messages that it looks at to find them: of a tenant, and about in all. */
const maxConversations = 1_000;
const maxOfTenant = 250;
const maxLookedAt = 4_000;
/** When messages that PostgreSQL refused are tried again. */
const postponedMinutes = 60;

/** Messages of a conversation that are gathered for an endpoint. */
export type Gathered = { tenantId: number; webhookId: number; person: string };

/**
 * CTEs of conversations whose gathered messages are due, for `with recursive`. Those of each tenant are in the order of
 * their time; `turn` orders all, so that the tenants take turns.
 */
const dueConversations = sql`
  first_due as materialized (
    select tenant_id from gathered_messages where due_at <= now()
    order by due_at limit ${maxConversations}
  ), ${firstOfEach('gathered_messages', {
    // Messages of one tenant may hide the others. Otherwise these are all that are due.
    condition: sql`(select count(*) from first_due) = ${maxConversations}`,
  })}, waiting as materialized (
    select tenant_id from first_due union select tenant_id from firsts
  ), share as materialized (
    select least(greatest(${maxLookedAt} / greatest(count(*), 1), 1), ${maxOfTenant}) as messages
    from waiting
  ), oldest as materialized (
    select next.*
    from waiting
    cross join lateral (
      select tenant_id, webhook_id, person, due_at, row_number() over (order by due_at) as turn
      from gathered_messages
      where tenant_id = waiting.tenant_id and due_at <= now()
      order by due_at limit (select messages from share)
    ) as next
  ), due as materialized (
    select tenant_id, webhook_id, person, min(turn) as turn
    from oldest
    group by tenant_id, webhook_id, person
    -- Of more tenants than conversations, those go first that have waited the longest.
    order by turn, min(due_at), tenant_id limit ${maxConversations}
  )`;

/**
 * Delivers gathered messages that are due, those of each conversation as one event, or as several if they are many or
 * long.
 *
 * @returns whether some are left for the next statement
 */
export async function deliverGathered(tx: Db): Promise<boolean> {
  const { rows } = await tx.query<{ is_more: boolean }>(
    statement(
      'deliver-gathered',
      sql`
        with recursive ${dueConversations}, ${deliveredConversations}
        select (select count(*) from message) > (select count(*) from fitting)
               or (select count(*) from due) = ${maxConversations}
               or exists (select from oldest where turn = (select messages from share)) as is_more`,
    ),
  );
  return rows[0]!.is_more;
}

/** Delivers gathered messages like {@link deliverGathered}, but only those of some conversations. */
export async function deliverGatheredOf(tx: Db, conversations: Gathered[]): Promise<void> {
  await tx.query(
    statement(
      'deliver-gathered-of',
      sql`
        with due as (
          select *, 1 as turn from ${gatheredRows('due', conversations)}
        ), ${deliveredConversations}
        select`,
    ),
  );
}

/** CTEs that deliver the messages of the conversations in the CTE `due` (tenant_id, webhook_id, person, turn). */
const deliveredConversations: Sql = sql`
  message as materialized (
    select due.*, next.*
    from due
    cross join lateral (
      select event_id, octet_length(data) as bytes
      from gathered_messages
      where tenant_id = due.tenant_id and webhook_id = due.webhook_id and person = due.person
      -- One more, which shows that there are others.
      order by event_id limit ${maxMessages + 1}
    ) as next
  ), of_event as (
    select *, row_number() over conversation as place, sum(bytes) over conversation - bytes as bytes_before
    from message
    window conversation as (partition by tenant_id, webhook_id, person order by event_id)
  ), of_statement as (
    -- Up to the end of the conversation, and without it.
    select *, sum(bytes) over (order by turn, tenant_id, webhook_id, person)
              - sum(bytes) over (partition by tenant_id, webhook_id, person) as conversations_before
    from of_event where place <= ${maxMessages} and bytes_before < ${maxEventBytes}
  ), fitting as materialized (
    select tenant_id, webhook_id, person, event_id
    from of_statement where conversations_before < ${maxBytes}
  ), taken as (
    delete from gathered_messages using fitting
    where gathered_messages.tenant_id = fitting.tenant_id
      and gathered_messages.webhook_id = fitting.webhook_id
      and gathered_messages.person = fitting.person
      and gathered_messages.event_id = fitting.event_id
    returning gathered_messages.*
  ), wanted as materialized (
    select tenant_id, array[webhook_id] as webhook_ids,
           (select array_agg(webhooks.id) from webhooks
            where webhooks.tenant_id = gathered.tenant_id and webhooks.id = gathered.webhook_id
              and webhooks.ordered) as ordered_ids,
           nextval('event_ids') as event_id, now() as created_at, 'message.received_batch' as type,
           concat('{"event":"message.received_batch","data":{"messages":[', messages, ']}}') as body,
           person
    from (
      select tenant_id, webhook_id, person, string_agg(data, ',' order by event_id) as messages
      from taken group by tenant_id, webhook_id, person
    ) as gathered
  ), delivered as (
    ${insertedDeliveries(sql`wanted`)}
  )`;

/** Finds conversations whose gathered messages are due. */
export async function findDueGathered(tx: Db): Promise<Gathered[]> {
  const { rows } = await tx.query<{ tenant_id: number; webhook_id: number; person: string }>(sql`
    with recursive ${dueConversations}
    select tenant_id, webhook_id, person from due order by turn, tenant_id`);
  return rows.map((row) => ({
    tenantId: row.tenant_id,
    webhookId: row.webhook_id,
    person: row.person,
  }));
}

/** Makes gathered messages due later, because PostgreSQL has refused the event of them. */
export async function postponeGathered(tx: Db, conversation: Gathered): Promise<void> {
  await tx.query(sql`
    update gathered_messages set due_at = now() + ${postponedMinutes}::int * interval '1 minute'
    from ${gatheredRows('refused', [conversation])}
    where gathered_messages.tenant_id = refused.tenant_id
      and gathered_messages.webhook_id = refused.webhook_id
      and gathered_messages.person = refused.person`);
}

function gatheredRows(name: string, conversations: Gathered[]): Sql {
  return rowsOf(name, conversations, {
    tenant_id: ['bigint', ({ tenantId }) => tenantId],
    webhook_id: ['smallint', ({ webhookId }) => webhookId],
    person: ['text', ({ person }) => person],
  });
}
