import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import type { InboundContent, InboundMessage } from '../../whatsapp/read-inbound.ts';
import { notifyConversations } from '../conversations/conversation-changes.ts';

export type IncomingMessage = InboundMessage & { tenantId: number; numberId: number };

/** A new inbound message. */
export type ReceivedMessage = {
  tenantId: number;
  id: number;
  numberId: number;
  networkId: string;
  /** E.164, or `user:...` if the network hides the phone. */
  phone: string;
  profileName: string | null;
  kind: string;
  content: InboundContent;
  /** Whether the tenant wants a contact for each unknown phone. */
  makesContact: boolean;
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
  const { rows } = await tx.query<ReceivedMessage>(
    statement(
      'insert-received',
      sql`
        with incoming as (
          -- The same order everywhere, so that concurrent statements with the same messages do not deadlock.
          select distinct on (tenant_id, network_id) *
          from ${rowsOf('incoming', incoming, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            number_id: ['bigint', ({ numberId }) => numberId],
            network_id: ['text', ({ networkId }) => networkId],
            phone: ['text', ({ phone }) => phone],
            profile_name: ['text', (each) => each.profileName ?? null],
            kind: ['text', ({ kind }) => kind],
            content: ['text', (each) => JSON.stringify(each.content)],
            at: ['timestamptz', (each) => each.at.toISOString()],
            position: ['int', (_, index) => index + 1],
          })}
          order by tenant_id, network_id, position
        ), numbered as materialized (
          -- Conversations are ordered by id.
          select *, nextval(pg_get_serial_sequence('messages', 'id')::regclass) as id
          from (select * from incoming order by at, position) as in_order
        ), received as (
          insert into messages (tenant_id, id, number_id, network_id, direction, phone, kind,
                                content, status, created_at)
          select tenant_id, id, number_id, network_id, 'in', phone, kind, content::jsonb,
                 'received', least(at, now())
          from numbered order by tenant_id, network_id
          on conflict (tenant_id, network_id) where network_id is not null do nothing
          returning tenant_id, id, number_id, network_id, phone, kind, content
        ), notified as materialized (
          ${notifyConversations(sql`received`)}
        )
        select received.tenant_id as "tenantId", received.id, received.number_id as "numberId",
               received.network_id as "networkId", received.phone,
               incoming.profile_name as "profileName", received.kind, received.content,
               tenants.contacts_from_inbound as "makesContact"
        from received
        join incoming using (tenant_id, network_id)
        join tenants on tenants.id = received.tenant_id
        cross join (select count(*) from notified) as notified
        order by received.id`,
    ),
  );
  return rows;
}

/** A status of one message that the network reported, with our id if the callback has it. */
export type ReportedStatus = {
  tenantId: number;
  id: number | null;
  networkId: string;
  status: 'sent' | 'delivered' | 'read' | 'failed';
  at: Date;
  error: object | null;
};

/**
 * Applies reported statuses in one statement. Repeats and any order give the same result, also within a
 * batch. A message is found by our id if the callback has it, otherwise by the network's id.
 */
export async function applyStatuses(db: Db, reported: ReportedStatus[]): Promise<void> {
  await db.query(
    statement(
      'apply-statuses',
      sql`
        with reported as (
          select tenant_id, network_id, status, at, error,
                 coalesce(id, (select m.id from messages m
                               where m.tenant_id = reported.tenant_id
                                 and m.network_id = reported.network_id)) as id
          from ${rowsOf('reported', reported, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            id: ['bigint', ({ id }) => id],
            network_id: ['text', ({ networkId }) => networkId],
            status: ['text', ({ status }) => status],
            at: ['timestamptz', (each) => each.at.toISOString()],
            error: ['text', (each) => each.error && JSON.stringify(each.error)],
          })}
        ), gathered as (
          select tenant_id, id, network_id,
                 min(at) filter (where status = 'sent') as sent_at,
                 min(at) filter (where status = 'delivered') as delivered_at,
                 min(at) filter (where status = 'read') as read_at,
                 min(at) filter (where status = 'failed') as failed_at,
                 min(error) as error
          from reported where id is not null
          -- Another service with the same number may have given its message the same reference.
          group by tenant_id, id, network_id order by tenant_id, id
        ), updated as (
          update messages set
            network_id = coalesce(messages.network_id, gathered.network_id),
            sent_at = least(messages.sent_at, gathered.sent_at),
            delivered_at = least(messages.delivered_at, gathered.delivered_at),
            read_at = least(messages.read_at, gathered.read_at),
            failed_at = least(messages.failed_at, gathered.failed_at),
            error = coalesce(messages.error, gathered.error::jsonb),
            status = greatest(messages.status, case
              when gathered.read_at is not null then 'read'::message_status
              when gathered.delivered_at is not null then 'delivered'
              when gathered.failed_at is not null then 'failed'
              else 'sent' end)
          from gathered
          where messages.tenant_id = gathered.tenant_id and messages.id = gathered.id
            and messages.direction = 'out'
            and coalesce(messages.network_id, gathered.network_id) = gathered.network_id
          returning messages.tenant_id, messages.phone
        )
        ${notifyConversations(sql`updated`)}`,
    ),
  );
}
