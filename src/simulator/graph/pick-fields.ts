import type { JsonObject } from '../types.ts';
import { GraphError } from './graph-errors.ts';

/**
 * Selects the requested fields of a record and its id, or all fields without a list.
 *
 * @param others fields that the network knows but this record does not have
 * @throws GraphError 100 if the network has no such field
 */
export function pickFields(
  record: JsonObject,
  fields: string | undefined,
  others: string[] = [],
): JsonObject {
  if (!fields) return record;
  // A name may be followed by the fields of its value in braces.
  const wanted = fields
    .replace(/\{[^{}]*\}/g, '')
    .split(',')
    .map((field) => field.trim());
  const unknown = wanted.find((field) => !Object.hasOwn(record, field) && !others.includes(field));
  if (unknown !== undefined) {
    throw GraphError.parameter(`Tried accessing nonexisting field (${unknown})`);
  }
  return Object.fromEntries(
    Object.entries(record).filter(([key]) => key === 'id' || wanted.includes(key)),
  );
}
