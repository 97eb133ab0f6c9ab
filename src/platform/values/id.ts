import { Type } from 'typebox';
import { notFound } from '../errors/api-error.ts';
import { emptySegment } from '../errors/no-such-path.ts';

/** An id in a body or a query: an integer inside JavaScript's safe range. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/**
 * Reads `{id}`, or another parameter by its `name`, from a path. Text that is not an integer inside
 * JavaScript's safe range is the same 404 as an unknown id.
 */
export function idFrom(params: unknown, name = 'id'): number {
  const id = idOrUnknown(params, name);
  if (id === unknownId) throw notFound();
  return id;
}

const unknownId = 0;

/**
 * Like `idFrom`, but returns an id that no record has instead of throwing 404: for a PUT, whose body is
 * checked first.
 */
export function idOrUnknown(params: unknown, name = 'id'): number {
  const text = (params as Record<string, string>)[name] ?? '';
  // The router takes `/contacts/` for `/contacts/{id}`.
  if (text === '') throw emptySegment();
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : unknownId;
}
