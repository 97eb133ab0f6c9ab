import { Type } from 'typebox';
import { notFound } from '../errors.ts';

/** An id in a body or a query: a whole number inside JavaScript's safe range. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/**
 * The `{id}` of a path. What is not a whole number inside JavaScript's safe range names nothing,
 * which is the same 404 as an id that nobody has.
 */
export function idFrom(params: unknown): number {
  const { id } = params as { id: string };
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound();
  return Number(id);
}
