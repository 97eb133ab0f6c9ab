import sql from 'sql-template-tag';
import { recordedChanges } from '../../events/record-state-events.ts';
import type { Db } from '../../platform/database/database.ts';
import { isHeld } from '../../platform/jobs/is-held.ts';
import { numberProblem } from './number-problem.ts';

/**
 * Compares the states of all connected numbers with those that were known, and records the changes. A state also
 * changes when time passes without a report, so no statement of a change would find all of them. Copies of tenants that
 * serve in another cell hear nothing, and are left out.
 *
 * @param silenceMinutes how long nothing may be heard after a send
 */
export async function recordStateChanges(db: Db, silenceMinutes: number): Promise<void> {
  await db.query(sql`
    with seen as materialized (
      select tenant_id, id, known_state, ${numberProblem(silenceMinutes)} as problem,
             case when ${numberProblem(silenceMinutes)} is not null then 'does_not_work'
                  when received_at is not null then 'works'
                  else 'not_verified' end as state
      from numbers where disconnected_at is null and not ${isHeld(sql`numbers.tenant_id`)}
    ), changed as (
      update numbers set known_state = seen.state
      from seen
      where numbers.tenant_id = seen.tenant_id and numbers.id = seen.id
        and numbers.known_state is distinct from seen.state
      returning numbers.tenant_id, seen.known_state as previous_state, json_build_object(
        'phone_number_id', phone_number_id, 'display_phone_number', display_phone_number,
        'state', seen.state, 'previous_state', seen.known_state, 'problem', seen.problem) as data
    ), known as (
      select * from changed where previous_state is not null
    ), ${recordedChanges('number.state_changed', sql`known`)}
    select`);
}
