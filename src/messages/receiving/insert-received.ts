import sql from 'sql-template-tag';
import { recordedMessages } from '../../events/record-message-events.ts';
import type { Db } from '../../platform/database/database.ts';
import { longValues } from '../../platform/database/long-values.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import type { InboundContent, InboundMessage } from '../../whatsapp/callbacks/read-inbound.ts';
import { notifyConversations } from '../conversations/live/conversation-changes.ts';
import { latestMessage, personOf } from '../conversations/person.ts';
import { isUserMessage } from './find-user-message.ts';

export type IncomingMessage = InboundMessage & { tenantId: number; numberId: number };

/** A new inbound message. */
export type ReceivedMessage = {
  tenantId: number;
  id: number;
  numberId: number;
  networkId: string;
  /** E.164, or `user:...` if the network hides the phone. */
  phone: string;
  /** Another identity of the same person: the phone if it is known, otherwise as `phone`. */
  knownAs: string;
  userId: string | null;
  username: string | null;
  profileName: string | null;
  kind: string;
  content: InboundContent;
  /** Whether the tenant wants a contact for each unknown phone. */
  makesContact: boolean;
};

type ReceivedRow = Pick<ReceivedMessage, 'id' | 'phone' | 'kind' | 'content'> & {
  tenant_id: number;
  number_id: number;
  network_id: string;
  known_as: string;
  user_id: string | null;
  username: string | null;
  profile_name: string | null;
  contacts_from_inbound: boolean;
};

/**
 * Inserts inbound messages in one statement, without those that already exist.
 *
 * @returns the new messages
 */
export async function insertReceived(
  tx: Db,
  incoming: IncomingMessage[],
): Promise<ReceivedMessage[]> {
  const contents = longValues(incoming.map(({ content }) => JSON.stringify(content)));
  const { rows } = await tx.query<ReceivedRow>(
    statement(
      'insert-received',
      sql`
        with incoming as (
          -- The same order everywhere, so that concurrent statements with the same messages do not deadlock.
          select distinct on (tenant_id, network_id) incoming.*, ${contents.text} as content
          from ${rowsOf('incoming', incoming, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            number_id: ['bigint', ({ numberId }) => numberId],
            network_id: ['text', ({ networkId }) => networkId],
            phone: ['text', ({ identity }) => identity],
            user_id: ['text', (each) => each.userId ?? null],
            username: ['text', (each) => each.username ?? null],
            profile_name: ['text', (each) => each.profileName ?? null],
            kind: ['text', ({ kind }) => kind],
            at: ['timestamptz', (each) => each.at.toISOString()],
            is_user: ['boolean', ({ kind }) => isUserMessage(kind)],
            position: ['int', (_, index) => index + 1],
            ...contents.columns,
          })}
          order by tenant_id, network_id, position
        ), numbered as materialized (
          -- Conversations are ordered by id.
          select *, nextval('messages_id_seq') as id, least(at, now()) as created_at,
                 ${personOf(sql`in_order.tenant_id`, sql`in_order.phone`)} as person
          from (select * from incoming order by at, position) as in_order
        ), new_state as (
          -- The network's id decides whether the message is new.
          insert into message_states (tenant_id, message_id, created_at, status, network_id)
          select tenant_id, id, created_at, 'received', network_id
          from numbered order by tenant_id, network_id
          on conflict do nothing
          returning tenant_id, message_id
        ), received as materialized (
          select numbered.*
          from numbered
          join new_state on new_state.tenant_id = numbered.tenant_id and message_id = numbered.id
        ), stored as (
          insert into messages (tenant_id, id, number_id, direction, person, phone, kind, content,
                                created_at)
          select tenant_id, id, number_id, 'in', person, nullif(phone, person), kind,
                 content::jsonb, created_at
          from received
        ), conversation as (
          insert into conversations as conversation
            (tenant_id, person, number_id, last_message_id, phone, first_inbound_id, unread, is_open)
          -- The network's notices about a person do not choose the number that sends.
          select tenant_id, person,
                 coalesce((array_agg(number_id order by id desc) filter (where kind <> 'system'))[1],
                          (select known.number_id from conversations as known
                           where known.tenant_id = received.tenant_id
                             and known.person = received.person
                             and known.last_message_id is not null),
                          (array_agg(number_id order by id desc))[1]),
                 max(id),
                 (array_agg(nullif(phone, person) order by id desc))[1],
                 min(id) filter (where is_user), count(*) filter (where is_user), bool_or(is_user)
          from received
          group by tenant_id, person order by tenant_id, person
          on conflict (tenant_id, person) do update set
            ${latestMessage},
            first_inbound_id = coalesce(conversation.first_inbound_id, excluded.first_inbound_id),
            unread = conversation.unread + excluded.unread,
            is_open = conversation.is_open or excluded.is_open
          returning tenant_id
        ), opened as (
          insert into conversation_windows as latest (tenant_id, person, number_id, last_inbound_at)
          select tenant_id, person, number_id, max(created_at)
          from received where kind <> 'system'
          group by tenant_id, person, number_id order by tenant_id, person, number_id
          on conflict (tenant_id, person, number_id) do update set
            last_inbound_at = greatest(latest.last_inbound_at, excluded.last_inbound_at)
        ), ${recordedMessages('message.received', sql`received`)}, notified as materialized (
          ${notifyConversations(sql`received`, sql`id`)}
        )
        select received.tenant_id, received.id, received.number_id, received.network_id,
               received.phone, received.user_id, received.username, received.profile_name, received.kind,
               case when starts_with(received.phone, '+') then received.phone
                    when starts_with(received.person, '+') then received.person
                    else coalesce((
                      select known.phone from conversations as known
                      where known.tenant_id = received.tenant_id and known.person = received.person
                    ), received.phone) end as known_as,
               received.content::jsonb as content, tenants.contacts_from_inbound
        from received
        join tenants on tenants.id = received.tenant_id
        cross join (select count(*) from notified) as notified
        order by received.id`,
    ),
  );
  return rows.map(({ id, phone, kind, content, ...row }) => ({
    tenantId: row.tenant_id,
    id,
    numberId: row.number_id,
    networkId: row.network_id,
    phone,
    knownAs: row.known_as,
    userId: row.user_id,
    username: row.username,
    profileName: row.profile_name,
    kind,
    content,
    makesContact: row.contacts_from_inbound,
  }));
}
