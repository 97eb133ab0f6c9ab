import { isIP } from 'node:net';

const hostHeader = /^(?:\[([0-9a-f:.]+)\]|([^:[\]/?#@\s]+))(?::\d*)?$/i;

/**
 * Whether a Host header names us. Otherwise the owner of a site could point its name at our address, and a
 * page of it that the operator visits could read through their browser what only their machines can reach.
 * Addresses, and names without a dot such as `localhost`, cannot be taken over in this way. Browsers always
 * send the header.
 *
 * @param names other names by which we are known, in lower case
 */
export function isOwnHost(header: string | undefined, names: readonly string[]): boolean {
  if (header === undefined) return true;
  const [, bracketed, plain] = hostHeader.exec(header) ?? [];
  const name = (bracketed ?? plain)?.toLowerCase();
  if (name === undefined) return false;
  return isIP(name) !== 0 || !name.includes('.') || names.includes(name);
}
