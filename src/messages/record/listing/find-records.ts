import sql, { type Sql } from 'sql-template-tag';
import { contactIdOf } from '../../../contacts/contact-identity.ts';
import type { Db } from '../../../platform/database/database.ts';
import { rowsOf } from '../../../platform/database/rows-of.ts';
import { statement } from '../../../platform/database/statement.ts';
import { phoneOfMessage } from '../../conversations/person.ts';
import {
  type MessageRow,
  notErased,
  type Pricing,
  stateColumns,
  withStates,
} from '../../queries.ts';
import type { StoredCause } from '../cause.ts';

/** The columns of a message record, which `presentRecord` turns into JSON. */
export type RecordRow = Omit<MessageRow, 'phone'> & {
  tenant_id: number;
  number_id: number;
  /** The tenant's slug, for links. */
  slug: string;
  /** The identity that sent or received it, and the key of the conversation. */
  identity: string;
  person: string;
  content: Record<string, unknown>;
  pricing: Pricing | null;
  reference: string | null;
  phone_number_id: string;
  display_phone_number: string | null;
  contact_id: number | null;
  contact_phone: string | null;
  contact_user_id: string | null;
  contact_name: string | null;
  token_id: number | null;
  /** Whether the token is that of the dashboard. */
  is_internal: boolean | null;
  cause: StoredCause | null;
  cause_id: string | null;
  /** The name of the token, the member, the bot or the store; null if it is gone. */
  cause_name: string | null;
};

/** Finds the records of messages by our ids, without those that were deleted with their contact. */
export async function findRecords(db: Db, tenantId: number, ids: number[]): Promise<RecordRow[]> {
  const { rows } = await db.query<RecordRow>(
    statement(
      'find-records',
      recordsOf(
        tenantId,
        sql`(
          select * from messages
          where messages.tenant_id = ${tenantId} and messages.id = any(${ids}::bigint[]) and ${notErased}
        )`,
      ),
    ),
  );
  return rows;
}

/** Finds the records of messages of several tenants, like {@link findRecords}. */
export async function findRecordsOfTenants(
  db: Db,
  wanted: { tenantId: number; id: number }[],
): Promise<RecordRow[]> {
  const { rows } = await db.query<RecordRow>(
    statement(
      'find-records-of-tenants',
      recordsOf(
        sql`messages.tenant_id`,
        sql`(
          select messages.*
          from ${rowsOf('wanted', wanted, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            id: ['bigint', ({ id }) => id],
          })}
          -- Without statistics, a join would read all messages of the tenant.
          cross join lateral (
            select * from messages
            where messages.tenant_id = wanted.tenant_id and messages.id = wanted.id
            limit 1
          ) as messages
          where ${notErased}
        )`,
      ),
    ),
  );
  return rows;
}

/**
 * Selects the records of messages.
 *
 * @param messages a table with rows of `messages`, of this tenant
 */
export function recordsOf(tenantId: Sql | number, messages: Sql): Sql {
  return sql`
    select messages.tenant_id, messages.number_id, tenants.slug, direction, kind, content, messages.person, ${phoneOfMessage} as identity,
           reference, pricing, messages.token_id, tokens.internal as is_internal, cause, cause_id,
           case when cause is null then tokens.name else ${causeName(tenantId)} end as cause_name,
           numbers.phone_number_id, numbers.display_phone_number, contacts.id as contact_id,
           contacts.phone as contact_phone, contacts.user_id as contact_user_id,
           nullif(concat_ws(' ', contacts.firstname, contacts.lastname), '') as contact_name, ${stateColumns}
    from ${messages} as messages
    ${withStates}
    join tenants on tenants.id = ${tenantId}
    join numbers on numbers.tenant_id = ${tenantId} and numbers.id = messages.number_id
    left join tokens on tokens.tenant_id = ${tenantId} and tokens.id = messages.token_id
    left join contacts on contacts.tenant_id = ${tenantId}
      and contacts.id = ${contactIdOf(tenantId, phoneOfMessage)}`;
}

function causeName(tenantId: Sql | number): Sql {
  return sql`case cause
    when 'bot' then (select bots.name from bots where bots.tenant_id = ${tenantId} and bots.id = cause_id::bigint)
    when 'store' then (
      select stores.name from stores where stores.tenant_id = ${tenantId} and stores.id = cause_id::bigint)
    when 'member' then (
      select account."name" from members join auth."user" as account on account."id" = members.user_id
      where members.tenant_id = ${tenantId} and members.user_id = cause_id)
    end`;
}
