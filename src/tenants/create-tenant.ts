import type { Db } from '../platform/database/database.ts';
import { invalid } from '../platform/errors/api-error.ts';
import { nameFrom } from '../platform/values/name.ts';
import { isPlan, plans } from './plans.ts';
import { insertTenant, type Tenant } from './queries.ts';

/** Path segments under `/api/` that the service uses itself, and words that would be confusing. */
const reservedSlugs = new Set(['webhooks', 'v1', 'v2', 'docs', 'openapi', 'auth', 'dashboard']);

/**
 * Creates a tenant.
 *
 * @throws ApiError 422 on `slug`, `name` or `plan`
 */
export async function createTenant(
  db: Db,
  { slug, name = slug, plan = 'starter' }: { slug: string; name?: string; plan?: string },
): Promise<Tenant> {
  if (!/^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/.test(slug)) {
    throw invalid({
      slug: ['must be 1 to 63 lower-case letters, digits and dashes, without a dash at either end'],
    });
  }
  if (reservedSlugs.has(slug)) throw invalid({ slug: ['is reserved for the service itself'] });
  const shownName = nameFrom(name);
  if (!isPlan(plan)) throw invalid({ plan: [`must be one of ${Object.keys(plans).join(', ')}`] });
  const tenant = await insertTenant(db, { slug, name: shownName, plan });
  if (!tenant) throw invalid({ slug: ['is taken'] });
  return tenant;
}
