import type { FieldErrors } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { FoundTemplate } from '../../templates/find-sendable-template.ts';

/** Finds what a person whose phone is hidden cannot get: the network refuses it with 131062. */
export function userIdFaults(found: FoundTemplate, contact: object | undefined): FieldErrors {
  const versions = 'template' in found ? [found.template] : found.versions;
  const isForPhones =
    versions.length > 0 && versions.every(({ category }) => category === 'AUTHENTICATION');
  return {
    ...(isForPhones && {
      phone_number: [
        fault(
          'authentication_needs_phone',
          'must be a phone number for an authentication template; WhatsApp does not send these to a user id',
        ),
      ],
    }),
    ...(contact && {
      contact: [
        fault(
          'contact_needs_phone',
          'needs a phone number; a contact without one is created when the person writes',
        ),
      ],
    }),
  };
}
