import type { FieldErrors } from '../../platform/errors/api-error.ts';

export type KnownLabels = { status_id: boolean; source_id: boolean; group_ids: boolean };

/** Builds the faults of labels that the tenant does not have. Labels of other tenants get the same message. */
export function unknownLabels(known: KnownLabels): FieldErrors {
  return {
    ...(known.status_id ? {} : { status_id: ['must be the id of an existing status'] }),
    ...(known.source_id ? {} : { source_id: ['must be the id of an existing source'] }),
    ...(known.group_ids ? {} : { group_ids: ['must be ids of existing groups'] }),
  };
}

export const takenPhone: FieldErrors = { phone: ['already belongs to another contact'] };
