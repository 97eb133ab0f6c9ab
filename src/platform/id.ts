import { Type } from 'typebox';
import { notFound, slashTooMany } from '../errors.ts';

/** An id in a body or a query: a whole number inside JavaScript's safe range. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/**
 * The `{id}` of a path, or another one by its `name`. What is not a whole number inside JavaScript's
 * safe range names nothing, which is the same 404 as an id that nobody has.
 */
export function idFrom(params: unknown, name = 'id'): number {
  const id = idOrNobody(params, name);
  if (id === nobody) throw notFound();
  return id;
}

const nobody = 0;

/** The same, but gives an id that no record has where the other throws 404: for a PUT, whose body is checked first. */
export function idOrNobody(params: unknown, name = 'id'): number {
  const text = (params as Record<string, string>)[name] ?? '';
  // The router takes `/contacts/` for `/contacts/{id}`.
  if (text === '') throw slashTooMany();
  return /^[1-9]\d{0,14}$/.test(text) ? Number(text) : nobody;
}
