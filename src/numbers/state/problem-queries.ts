import sql from 'sql-template-tag';
import type { Db } from '../../platform/database/database.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import { isHeld } from '../../platform/jobs/is-held.ts';
import { numberProblem, tokenEndsSoon } from './number-problem.ts';

/** Lists the numbers of all tenants that have a problem, except copies of tenants that serve in another cell. */
export async function listNumberProblems(
  db: Db,
  silenceMinutes: number,
): Promise<{ tenant: string; phone: string; problem: string }[]> {
  const { rows } = await db.query<{ tenant: string; phone: string; problem: string }>(sql`
    select slug as tenant, coalesce(display_phone_number, phone_number_id) as phone,
           ${numberProblem(silenceMinutes)} as problem
    from numbers join tenants on tenants.id = tenant_id
    where ${numberProblem(silenceMinutes)} is not null and disconnected_at is null
      and not ${isHeld(sql`numbers.tenant_id`)}
    order by slug, numbers.id`);
  return rows;
}

/** Lists the numbers of all tenants whose access token ends soon, except copies of tenants that serve in another cell. */
export async function listEndingTokens(
  db: Db,
): Promise<{ tenant: string; phone: string; ends_on: string }[]> {
  const { rows } = await db.query<{ tenant: string; phone: string; ends_on: string }>(sql`
    select slug as tenant, coalesce(display_phone_number, phone_number_id) as phone,
           to_char(token_expires_at, 'YYYY-MM-DD') as ends_on
    from numbers join tenants on tenants.id = tenant_id
    where ${tokenEndsSoon} and disconnected_at is null and not ${isHeld(sql`numbers.tenant_id`)}
    order by token_expires_at, slug, numbers.id`);
  return rows;
}

/**
 * Stores the problem of a number, or null.
 *
 * @returns whether it changed
 */
export async function setNumberProblem(
  db: Db,
  tenantId: number,
  id: number,
  problem: Fault | null,
): Promise<boolean> {
  const text = problem?.text ?? null;
  const { rowCount } = await db.query(sql`
    update numbers set problem = ${text}, problem_says = ${problem && JSON.stringify(problem)}::jsonb
    where tenant_id = ${tenantId} and id = ${id} and problem is distinct from ${text}`);
  return rowCount === 1;
}

/** Clears the problem of a number, unless it has another one by now. */
export async function clearNumberProblem(
  db: Db,
  tenantId: number,
  id: number,
  problem: string,
): Promise<void> {
  await db.query(sql`
    update numbers set problem = null
    where tenant_id = ${tenantId} and id = ${id} and problem = ${problem}`);
}
