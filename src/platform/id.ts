import { notFound } from '../errors.ts';

/**
 * The `{id}` of a path. What is not a whole number inside JavaScript's safe range names nothing,
 * which is the same 404 as an id that nobody has.
 */
export function idFrom(params: unknown): number {
  const { id } = params as { id: string };
  if (!/^[1-9]\d{0,14}$/.test(id)) throw notFound();
  return Number(id);
}
