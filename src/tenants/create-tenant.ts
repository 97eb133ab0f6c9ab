import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../platform/database/database.ts';
import { invalid } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { tenantIdOffset, tenantsPerCell } from '../platform/values/cell.ts';
import { nameFrom } from '../platform/values/texts/name.ts';
import { isPlan, plans } from './plans.ts';
import { drawTenantNumber, findTenant, insertTenant, type Tenant } from './queries.ts';

/** Path segments under `/api/` that the service uses itself, and words that would be confusing. */
const reservedSlugs = new Set(['webhooks', 'v1', 'v2', 'docs', 'openapi', 'auth', 'dashboard']);

/**
 * Creates a tenant. Its id is in the block of its cell, so that it can move to another cell and keep its id.
 *
 * @param cell the name of this installation, as in `PARLEY_CELL`
 * @throws ApiError 422 on `slug`, `name` or `plan`
 * @throws Error if the block of ids is used up, or another cell had the same name
 */
export async function createTenant(
  db: Database,
  {
    slug,
    name = slug,
    plan = 'starter',
    cell = '',
  }: { slug: string; name?: string; plan?: string; cell?: string },
): Promise<Tenant> {
  checkSlug(slug);
  const shownName = nameFrom(name);
  if (!isPlan(plan))
    throw invalid({
      plan: [
        fault('not_one_of', 'must be one of {known}', { known: Object.keys(plans).join(', ') }),
      ],
    });
  const number = await drawTenantNumber(db);
  if (number >= tenantsPerCell) throw new Error('This cell has no more ids for tenants.');
  const id = tenantIdOffset(cell) + number;
  const tenant = await db.transaction(async (tx) => {
    const inserted = await insertTenant(tx, { id, slug, name: shownName, plan });
    if (inserted) {
      const subject = { id: slug, name: shownName };
      await recordAudit(tx, id, {
        action: 'tenant.created',
        subject,
        changes: [{ field: 'plan', after: plan }],
      });
    }
    return inserted;
  });
  if (tenant) return tenant;
  if (await findTenant(db, slug)) throw invalid({ slug: [fault('slug_taken', 'is taken')] });
  throw new Error(
    `The id ${id} is taken by a tenant that moved here from another cell of the same name. Give this cell a name of its own: PARLEY_CELL.`,
  );
}

/** @throws ApiError 422 on `slug` */
export function checkSlug(slug: string): void {
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(slug)) {
    throw invalid({
      slug: [
        fault(
          'slug_shape',
          'must be 1 to 63 lower-case letters, digits and dashes, without a dash at either end',
        ),
      ],
    });
  }
  if (reservedSlugs.has(slug))
    throw invalid({ slug: [fault('slug_reserved', 'is reserved for the service itself')] });
}
