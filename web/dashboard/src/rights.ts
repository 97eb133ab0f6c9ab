import type { Role } from './api/records.ts';

/** The rights that only owners have. The server checks each request itself. */
const ownerRights = [
  'api:write',
  'audit:read',
  'contacts:export',
  'members:write',
  'numbers:write',
  'region:write',
  'stores:write',
  'webhook:write',
] as const;

export type Right = (typeof ownerRights)[number];

/** The rights of each role. */
const rights: Record<Role, ReadonlySet<Right>> = {
  owner: new Set(ownerRights),
  staff: new Set(),
};

/** Returns whether a role has a right. Without a role, nothing is allowed. */
export function hasRight(role: Role | undefined, right: Right): boolean {
  return role !== undefined && rights[role].has(right);
}
