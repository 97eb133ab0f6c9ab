import sql from 'sql-template-tag';
import { type Db, prepared } from '../../platform/database.ts';
import type { InboundContent, InboundMessage } from '../../whatsapp/read-inbound.ts';
import { notifyConversations } from '../conversations/conversation-changes.ts';

export type IncomingMessage = InboundMessage & { tenantId: number; numberId: number };

/** An inbound message that was not here before. */
export type ReceivedMessage = {
  tenantId: number;
  id: number;
  numberId: number;
  networkId: string;
  /** E.164, or `user:...` where the network hides the phone. */
  phone: string;
  profileName: string | null;
  kind: string;
  content: InboundContent;
  /** Whether the tenant wants a contact of an unknown phone. */
  makesContact: boolean;
};

/**
 * Inserts inbound messages in one statement; those that are here already are passed over.
 *
 * @returns the new ones
 */
export async function insertReceived(
  tx: Db,
  incoming: IncomingMessage[],
): Promise<ReceivedMessage[]> {
  const { rows } = await tx.query<ReceivedMessage>(
    prepared(
      'insert-received',
      sql`
        with incoming as (
          -- In one order everywhere, so that two statements with the same messages take turns.
          select distinct on (tenant_id, network_id) *
          from unnest(${incoming.map((each) => each.tenantId)}::bigint[],
                      ${incoming.map((each) => each.numberId)}::bigint[],
                      ${incoming.map((each) => each.networkId)}::text[],
                      ${incoming.map((each) => each.phone)}::text[],
                      ${incoming.map((each) => each.profileName ?? null)}::text[],
                      ${incoming.map((each) => each.kind)}::text[],
                      ${incoming.map((each) => JSON.stringify(each.content))}::text[],
                      ${incoming.map((each) => each.at.toISOString())}::timestamptz[])
               with ordinality
               as incoming (tenant_id, number_id, network_id, phone, profile_name, kind, content,
                            at, place)
          order by tenant_id, network_id, place
        ), numbered as materialized (
          -- A conversation is in the order of ids.
          select *, nextval(pg_get_serial_sequence('messages', 'id')::regclass) as id
          from (select * from incoming order by at, place) as in_order
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
        cross join (select count(*) as told from notified) as notified
        order by received.id`,
    ),
  );
  return rows;
}
