import { randomInt } from 'node:crypto';
import type { FieldErrors } from '../../../platform/errors/api-error.ts';
import { fault } from '../../../platform/errors/fault.ts';
import type { FoundTemplate } from '../../../templates/find-sendable-template.ts';

/** Finds why the service cannot generate a one-time password for a message. */
export function otpFaults(found: FoundTemplate, fields: ReadonlyMap<number, string>): FieldErrors {
  const versions = 'template' in found ? [found.template] : found.versions;
  const [first] = versions;
  if (first && versions.every(({ category }) => category !== 'AUTHENTICATION')) {
    const { name, category } = first;
    const wrong = fault(
      'otp_needs_authentication',
      'works with authentication templates only; {name} is of category {category}',
      { name, category },
    );
    return { auto_generate_otp: [wrong] };
  }
  if (!fields.get(1)) return {};
  return {
    field_1: [
      fault('otp_given', 'must be absent with auto_generate_otp: the service generates the code'),
    ],
  };
}

/** Generates six digits, each code equally likely. */
export function generateOtpCode(): string {
  return String(randomInt(1_000_000)).padStart(6, '0');
}
