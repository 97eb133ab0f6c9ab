import { ApiError, type FieldErrors } from '../../../platform/errors/api-error.ts';
import { fault } from '../../../platform/errors/fault.ts';

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

/** The ids of the contacts that have the phone and the external id of another one. */
export type Taken = { phone: number | null; external_id: number | null };

/** Builds the faults of a phone and an external id that another contact has. */
export function takenFaults({ phone, external_id }: Taken): FieldErrors {
  return {
    ...(phone !== null && { phone: [phoneTaken] }),
    ...(external_id !== null && {
      external_id: [externalIdTaken],
    }),
  };
}

/** Creates the 422 of a contact that was not written. `data` names the contact that has its phone or external id. */
export function contactRefusal(unknown: FieldErrors, taken: Taken): ApiError {
  const faults = { ...unknown, ...takenFaults(taken) };
  const id = taken.phone ?? taken.external_id;
  // The other contact may have been deleted since.
  const errors = Object.keys(faults).length > 0 ? faults : { phone: [phoneTaken] };
  return new ApiError('invalid', { errors, data: id === null ? undefined : { id } });
}

export const externalIdTaken = fault('external_id_taken', 'already belongs to another contact');
const phoneTaken = fault('phone_taken', 'already belongs to another contact');
