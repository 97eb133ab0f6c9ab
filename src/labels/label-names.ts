import type { Db } from '../platform/database.ts';
import { listLabels } from './queries.ts';

/** Name in small letters to id. */
export type LabelNames = Record<'statuses' | 'sources' | 'groups', Map<string, number>>;

/** Every label of a tenant by its name, for files that name labels instead of giving their ids. */
export async function createLabelNames(db: Db, tenantId: number): Promise<LabelNames> {
  const namesOf = async (kind: keyof LabelNames) =>
    new Map((await listLabels(db, tenantId, kind)).map(({ name, id }) => [name.toLowerCase(), id]));
  return {
    statuses: await namesOf('statuses'),
    sources: await namesOf('sources'),
    groups: await namesOf('groups'),
  };
}
