import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import { recordedEvents } from '../../webhooks/record-events.ts';
import { contactRecord, groupIdsNow } from '../fields/contact-record.ts';

export type KnownUsername = { tenantId: number; userId: string; username: string };

/** Stores the usernames that people have now, with an event for each contact whose username changed. */
export async function updateUsernames(tx: Db, known: KnownUsername[]): Promise<void> {
  await tx.query(
    statement(
      'update-usernames',
      sql`
        with known as (
          -- The last one, if a person changed it twice.
          select distinct on (tenant_id, user_id) *
          from ${rowsOf('known', known, {
            tenant_id: ['bigint', ({ tenantId }) => tenantId],
            user_id: ['text', ({ userId }) => userId],
            username: ['text', ({ username }) => username],
            position: ['int', (_, index) => index],
          })}
          order by tenant_id, user_id, position desc
        ), locked as materialized (
          select contacts.tenant_id, contacts.id, known.username
          from known
          join contacts on contacts.tenant_id = known.tenant_id and contacts.user_id = known.user_id
          where contacts.username is distinct from known.username
          order by contacts.tenant_id, contacts.user_id
          for no key update of contacts
        ), contact as (
          update contacts as contact set username = locked.username, updated_at = now()
          from locked
          where contact.tenant_id = locked.tenant_id and contact.id = locked.id
          returning contact.*
        ), event as (
          select tenant_id, 'contact.updated' as type,
                 ${contactRecord(sql`to_json(${groupIdsNow})`)} as data
          from contact
        ), ${recordedEvents}
        select from contact`,
    ),
  );
}
