import sql from 'sql-template-tag';
import { listEntries } from '../audit/queries.ts';
import { recordAudit } from '../audit/record-audit.ts';
import { findOutdated } from '../backup/tables/sealed-columns.ts';
import {
  replaceSecondFactor,
  resealSecondFactor,
  type SecondFactor,
} from '../members/sign-in/second-factor.ts';
import type { Services } from '../services.ts';
import { listTenants } from '../tenants/queries.ts';

type Given = Pick<Services, 'db' | 'vault'>;

/** How many values are not encrypted with the first master key: tokens, secrets and second factors. */
export type Outdated = {
  outdated: number;
  /** The tokens and secrets of tenants that are. */
  current: number;
  /** Those that no key decrypts, because their key was lost. */
  unreadable: number;
};

const factorsAtOnce = 200;

/** Counts the values that need another master key than the first. */
export function countOutdated(given: Given): Promise<Outdated> {
  return visitOutdated(given, { reseals: false });
}

/**
 * Encrypts every value with the first master key, while the service runs. Each value is replaced by a statement of its own,
 * and only if it is still the one that was read, so it can be interrupted and run again.
 *
 * @param onTenant is called with the number of tenants so far
 * @returns how many values were outdated
 */
export function resealSecrets(
  given: Given,
  onTenant: (done: number, of: number) => void,
): Promise<Outdated> {
  return visitOutdated(given, { reseals: true, onTenant });
}

/** Finds when secrets of a tenant were last encrypted again; undefined if no audit log says so. */
export async function findLastReseal(db: Given['db']): Promise<Date | undefined> {
  let last: Date | undefined;
  for (const { id } of await listTenants(db)) {
    const filter = { kind: 'tenant', action: 'tenant.reencrypted' } as const;
    const [entry] = await listEntries(db, id, filter, { limit: 1 });
    if (entry && !(last && entry.at < last)) last = entry.at;
  }
  return last;
}

async function visitOutdated(
  { db, vault }: Given,
  { reseals, onTenant }: { reseals: boolean; onTenant?: (done: number, of: number) => void },
): Promise<Outdated> {
  const found = { outdated: 0, current: 0, unreadable: 0 };
  const tenants = await listTenants(db);
  for (const [index, { id }] of tenants.entries()) {
    const { outdated, current, unreadable } = await findOutdated(db.pool, vault, id);
    found.outdated += outdated.length;
    found.current += current;
    found.unreadable += unreadable;
    if (reseals && outdated.length > 0) {
      // First, because after a crash nothing may be left to do that would record it.
      await recordAudit(db, id, { action: 'tenant.reencrypted' });
      for (const secret of outdated) await secret.reseal();
    }
    onTenant?.(index + 1, tenants.length);
  }
  for await (const factor of listSecondFactors(db)) {
    const resealed = await resealSecondFactor(vault, factor).catch(() => 'unreadable' as const);
    if (resealed === 'unreadable') found.unreadable++;
    else if (resealed) {
      found.outdated++;
      if (reseals) await replaceSecondFactor(db, factor, resealed);
    }
  }
  return found;
}

async function* listSecondFactors(db: Given['db']): AsyncGenerator<SecondFactor> {
  for (let after = ''; ; ) {
    const { rows } = await db.query<SecondFactor>(sql`
      select "id", "secret", "backupCodes" from auth."twoFactor"
      where "id" > ${after} order by "id" limit ${factorsAtOnce}`);
    yield* rows;
    if (rows.length < factorsAtOnce) return;
    after = rows.at(-1)!.id;
  }
}
