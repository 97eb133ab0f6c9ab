import type { Services } from '../../../services.ts';
import { findStore } from '../../../stores/queries.ts';
import { CommandError, idFrom, tenantBySlug } from '../../command.ts';

/** Finds a store by its id or the last part of its address. */
export async function storeOf(services: Services, slug: string, id: string) {
  const tenant = await tenantBySlug(services, slug);
  const store = await findStore(services.db, tenant.id, idFrom(id) ?? id);
  if (!store) {
    throw new CommandError(`${slug} has no store ${id}. See \`parley store list ${slug}\`.`);
  }
  return { tenant, store };
}
