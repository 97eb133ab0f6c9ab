import type { FieldErrors } from '../../errors.ts';

export type KnownLabels = { status_id: boolean; source_id: boolean; group_ids: boolean };

/** What to say of labels that are not the tenant's, or not there at all: the same words. */
export function unknownLabels(known: KnownLabels): FieldErrors {
  return {
    ...(known.status_id ? {} : { status_id: ['must be the id of an existing status'] }),
    ...(known.source_id ? {} : { source_id: ['must be the id of an existing source'] }),
    ...(known.group_ids ? {} : { group_ids: ['must be ids of existing groups'] }),
  };
}

export const duplicatePhone: FieldErrors = { phone: ['belongs to another contact already'] };
