import sql from 'sql-template-tag';
import { recordedMessages } from '../../events/record-message-events.ts';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import type { AppMessage } from '../../whatsapp/callbacks/read-app-messages.ts';
import { notifyConversations } from '../conversations/live/conversation-changes.ts';
import { latestMessage, personOf } from '../conversations/person.ts';
import { hasNetworkId } from '../queries.ts';
import { isUserMessage } from '../receiving/find-user-message.ts';

/**
 * Past messages get negative ids in the order of their times: the second in millions, then the position in that
 * second in thousands, then a part that two callbacks hardly share. They stay below 2^53 until the year 2109.
 */
const pastId = sql`(
  floor(extract(epoch from created_at))::bigint * 2000000 + least(place, 1999) * 1000
  + nextval('messages_id_seq') % 1000 - 9000000000000000)`;

/**
 * Inserts messages of the phone app, without those that already exist. The file of a past message comes in a later
 * callback and replaces its placeholder.
 *
 * @returns how many were left out because they may be messages that are being sent
 */
export async function insertAppMessages(
  tx: Db,
  number: { tenantId: number; numberId: number },
  messages: AppMessage[],
): Promise<number> {
  let uncertain = 0;
  // A past message whose id another one has gets another id in the next round.
  for (let left = messages; left.length > 0; ) {
    const round = await insertRound(tx, number, left);
    uncertain += round.uncertain;
    const missed = new Set(round.missed);
    left = left.filter(({ networkId }) => missed.has(networkId));
  }
  return uncertain;
}

async function insertRound(
  tx: Db,
  { tenantId, numberId }: { tenantId: number; numberId: number },
  messages: AppMessage[],
): Promise<{ uncertain: number; missed: string[] }> {
  const { rows } = await tx.query<{ uncertain: number; missed: string[] }>(
    statement(
      'insert-app-messages',
      sql`
        with reported as (
          select distinct on (network_id) *, ${tenantId}::bigint as tenant_id, ${numberId}::bigint as number_id
          from ${rowsOf('reported', messages, {
            network_id: ['text', ({ networkId }) => networkId],
            direction: ['message_direction', ({ direction }) => direction],
            phone: ['text', ({ identity }) => identity],
            kind: ['text', ({ kind }) => kind],
            content: ['jsonb', ({ content }) => JSON.stringify(content)],
            status: ['message_status', ({ status }) => status],
            at: ['timestamptz', (each) => each.at.toISOString()],
            is_past: ['boolean', ({ isPast }) => isPast],
            is_user: [
              'boolean',
              ({ kind, direction }) => direction === 'in' && isUserMessage(kind),
            ],
            position: ['int', (_, index) => index + 1],
          })}
          order by network_id, position
        ), of_person as materialized (
          select reported.*, ${personOf(tenantId, sql`reported.phone`)} as person,
                 least(at, now()) as created_at,
                 row_number() over (partition by date_trunc('second', at) order by position) as place
          from reported
        ), incoming as materialized (
          select *, not is_past and exists (
            -- The API sends the same text to the same person right now, and its network id is not known yet.
            select from messages
            left join message_states as state
              on state.tenant_id = messages.tenant_id and state.message_id = messages.id
            where messages.tenant_id = ${tenantId} and messages.person = of_person.person
              and messages.id > (select done_to from message_walks where name = 'abandoned')
              and messages.direction = 'out' and messages.kind = of_person.kind
              and messages.content ->> 'text' is not distinct from of_person.content ->> 'text'
              and messages.created_at > now() - interval '5 minutes'
              and state.network_id is null and state.status is distinct from 'failed'
          ) as is_uncertain
          from of_person
        ), numbered as materialized (
          select *, case when is_past then ${pastId} else nextval('messages_id_seq') end as id
          from (select * from incoming where not is_uncertain order by at, position) as in_order
        ), new_state as (
          insert into message_states
            (tenant_id, message_id, created_at, status, network_id, sent_at, failed_at)
          select tenant_id, id, created_at, status, network_id,
                 case when direction = 'out' and status <> 'failed' then created_at end,
                 case when status = 'failed' then created_at end
          from numbered order by tenant_id, network_id
          on conflict do nothing
          returning message_id
        ), added as materialized (
          select numbered.* from numbered join new_state on message_id = numbered.id
        ), stored as (
          insert into messages
            (tenant_id, id, number_id, direction, person, phone, kind, content, created_at, cause)
          select tenant_id, id, number_id, direction, person, nullif(phone, person), kind, content, created_at,
                 case when direction = 'out' then 'app' end
          from added
        ), filled as (
          update messages set kind = numbered.kind, content = numbered.content
          from numbered
          join message_states as state on state.tenant_id = ${tenantId}
            and ${hasNetworkId(sql`numbered.network_id`)}
          where messages.tenant_id = ${tenantId} and messages.id = state.message_id
            and messages.kind = 'media_placeholder' and numbered.kind <> 'media_placeholder'
            and numbered.is_past
        ), conversation as (
          insert into conversations as conversation
            (tenant_id, person, number_id, last_message_id, phone, first_inbound_id)
          select tenant_id, person, (array_agg(number_id order by id desc))[1], max(id),
                 (array_agg(nullif(phone, person) order by id desc))[1], min(id) filter (where is_user)
          from added group by tenant_id, person order by tenant_id, person
          on conflict (tenant_id, person) do update set
            ${latestMessage},
            first_inbound_id = least(conversation.first_inbound_id, excluded.first_inbound_id)
        ), watched as (
          select * from added where not is_past
        ), ${recordedMessages('message.sent', sql`watched`)}, notified as materialized (
          ${notifyConversations(sql`watched`, sql`id`)}
        )
        select count(*) filter (where is_uncertain)::int as uncertain, array(
          select network_id from numbered
          where id not in (select message_id from new_state) and not exists (
            select from message_states as state
            where state.tenant_id = ${tenantId} and ${hasNetworkId(sql`numbered.network_id`)})
        ) as missed
        from incoming cross join (select count(*) from notified) as notified`,
    ),
  );
  return rows[0]!;
}
