import type { FieldErrors } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';

export type KnownLabels = { status_id: boolean; source_id: boolean; group_ids: boolean };

/** Builds the faults of labels that the tenant does not have. Labels of other tenants get the same message. */
export function unknownLabels(known: KnownLabels): FieldErrors {
  return {
    ...(known.status_id ? {} : { status_id: [unknownLabel('status')] }),
    ...(known.source_id ? {} : { source_id: [unknownLabel('source')] }),
    ...(known.group_ids ? {} : { group_ids: [unknownGroups] }),
  };
}

export const unknownGroups = fault('unknown_groups', 'must be ids of existing groups');

export function unknownLabel(label: 'status' | 'source') {
  return fault('unknown_label', 'must be the id of an existing {label}', { label });
}

export const takenPhone: FieldErrors = {
  phone: [fault('phone_taken', 'already belongs to another contact')],
};
