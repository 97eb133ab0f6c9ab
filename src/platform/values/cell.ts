import { createHash } from 'node:crypto';
import { randomBase62 } from '../secrets/crypto.ts';

/** The ids of one cell's tenants. An installation without a name has those below the first cell's. */
export const tenantsPerCell = 4_000_000;
/** Every name of up to six characters is a number below this one in base 36. */
const shortNames = 36 ** 6;
/** Blocks above those of the short names, all below 2^53. */
const longNames = 75_000_000;

/**
 * Returns the number that is added to the ids of a cell's new tenants, so that a tenant can move to another
 * cell and keep its id. Two names of up to six characters never share a block of ids. A longer name is
 * hashed: two of them share a block with odds of 1 in 75 million. All ids are safe integers.
 *
 * @param cell its name, as in `PARLEY_CELL`; '' for an installation without one
 */
export function tenantIdOffset(cell: string): number {
  if (cell === '') return 0;
  // No name begins with a digit, so different names of up to six characters are different numbers.
  const block = cell.length <= 6 ? Number.parseInt(cell, 36) : shortNames + hash(cell, longNames);
  return block * tenantsPerCell;
}

function hash(text: string, below: number): number {
  return createHash('sha256').update(text).digest().readUIntBE(0, 6) % below;
}

/**
 * Generates the last part of a store's URL or of a number's callback URL, which nobody can guess. A proxy
 * finds the cell of the store or number in its prefix: `eu1-` and 32 letters and digits.
 */
export function newAddressId(cell: string): string {
  const id = randomBase62(32);
  return cell ? `${cell}-${id}` : id;
}

/** Whether `newAddressId` can have generated a text, in any cell. */
export function looksLikeAddressId(text: string): boolean {
  return /^([a-z][a-z0-9]{0,7}-)?[0-9A-Za-z]{32}$/.test(text);
}
