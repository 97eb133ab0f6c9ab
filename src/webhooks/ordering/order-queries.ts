import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import { rowsOf } from '../../platform/database/rows-of.ts';
import { statement } from '../../platform/database/statement.ts';
import type { Endpoint } from '../endpoint-key.ts';
import { wakeDeliverers } from '../insert-deliveries.ts';

/** A person at an ordered endpoint, whose deliveries are made one after another. */
export type OrderedPerson = { tenant_id: number; webhook_id: number; person: string };

/**
 * Makes the next delivery of each person due, unless one is already. For persons of whom a delivery succeeded or was
 * given up.
 */
export async function releaseNext(db: Db, persons: OrderedPerson[]): Promise<void> {
  await db.query(
    statement(
      'release-next-deliveries',
      sql`
        with head as (
          select first.tenant_id as of_tenant, first.id as first_id
          from (
            select distinct * from ${rowsOf('person', persons, {
              tenant_id: ['bigint', ({ tenant_id }) => tenant_id],
              webhook_id: ['smallint', ({ webhook_id }) => webhook_id],
              person: ['text', ({ person }) => person],
            })}
          ) as person
          cross join lateral (
            select waiting.tenant_id, waiting.id, waiting.due_at
            from deliveries as waiting
            where waiting.tenant_id = person.tenant_id and waiting.webhook_id = person.webhook_id
              and waiting.person = person.person and waiting.in_order and waiting.state = 'waiting'
            order by waiting.due_at, waiting.id limit 1
          ) as first
          where first.due_at = 'infinity'
        )
        update deliveries set due_at = now()
        from head
        where deliveries.tenant_id = head.of_tenant and deliveries.id = head.first_id
          -- Another process may have released it meanwhile.
          and deliveries.due_at = 'infinity'
        returning ${wakeDeliverers}`,
    ),
  );
}

/**
 * Makes deliveries due that were left behind: the one before ended while they were being recorded, or its process
 * died. Looks at some persons, in the order of an index.
 *
 * @param after where the previous call ended; undefined for the beginning
 * @returns where it ended; undefined at the end
 */
export async function releaseLeftBehind(
  db: Db,
  after: OrderedPerson | undefined,
  limit: number,
): Promise<OrderedPerson | undefined> {
  const start = after ?? { tenant_id: 0, webhook_id: 0, person: '' };
  const { rows } = await db.query<OrderedPerson>(
    statement(
      'release-left-behind',
      sql`
        with recursive head as (
          (select tenant_id as of_tenant, webhook_id as of_endpoint, person as of_person, due_at as first_due,
                  id as first_id, 1 as place
           from deliveries
           where in_order and state = 'waiting'
             and (tenant_id, webhook_id, person)
                 > (${start.tenant_id}, ${start.webhook_id}::smallint, ${start.person})
           order by tenant_id, webhook_id, person, due_at, id limit 1)
          union all
          select next.*, head.place + 1
          from head
          cross join lateral (
            select tenant_id, webhook_id, person, due_at, id
            from deliveries
            where in_order and state = 'waiting'
              and (tenant_id, webhook_id, person) > (head.of_tenant, head.of_endpoint, head.of_person)
            order by tenant_id, webhook_id, person, due_at, id limit 1
          ) as next
          where head.place < ${limit}
        ), released as (
          update deliveries set due_at = now()
          from head
          where head.first_due = 'infinity'
            and deliveries.tenant_id = head.of_tenant and deliveries.id = head.first_id
            and deliveries.due_at = 'infinity'
          returning ${wakeDeliverers}
        )
        select of_tenant as tenant_id, of_endpoint as webhook_id, of_person as person
        from head where place = ${limit}`,
    ),
  );
  return rows[0];
}

/**
 * Ends the order of some waiting deliveries of an endpoint.
 *
 * @returns how many
 */
export async function releaseSome(
  db: Db,
  { tenantId, webhookId }: Endpoint,
  limit: number,
): Promise<number> {
  const { rowCount } = await db.query(sql`
    with chosen as materialized (
      select id from deliveries
      where tenant_id = ${tenantId} and webhook_id = ${webhookId} and in_order and state = 'waiting'
      limit ${limit}
    ), locked as (
      select id from deliveries where tenant_id = ${tenantId} and id in (select id from chosen)
      order by id for update
    )
    update deliveries set in_order = false, due_at = case when due_at = 'infinity' then now() else due_at end
    where tenant_id = ${tenantId} and id in (select id from locked)
    returning ${wakeDeliverers}`);
  return rowCount ?? 0;
}
