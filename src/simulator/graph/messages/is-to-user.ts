import type { JsonObject } from '../../types.ts';

export function hasTo({ to }: JsonObject): boolean {
  return to !== undefined && to !== null && to !== '';
}

/** Whether a send is to a user id. */
export function isToUser(body: JsonObject): boolean {
  return !hasTo(body) && typeof body.recipient === 'string' && body.recipient !== '';
}
