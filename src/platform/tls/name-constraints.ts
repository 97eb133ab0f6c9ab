import type { X509Certificate } from 'node:crypto';
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { objectId, sequence, tagged, take, yes } from './der.ts';

export const nameConstraintsId = '2.5.29.30';

const dnsTag = 0x82;
const addressTag = 0x87;

/**
 * Encodes the names that an authority may sign servers for (RFC 5280, 4.2.1.10), so that a stolen key cannot
 * impersonate any other site to clients that trust it. A host name includes its subdomains.
 */
export function encodeNameConstraints(names: string[]): Buffer {
  return sequence(tagged(0xa0, ...names.map((name) => sequence(encodeName(name)))));
}

/** An address is followed by its mask. */
function encodeName(name: string): Buffer {
  if (!isIP(name)) return tagged(dnsTag, Buffer.from(name, 'ascii'));
  const address = Buffer.from(ipaddr.parse(name).toByteArray());
  return tagged(addressTag, address, Buffer.alloc(address.length, 0xff));
}

/**
 * Reads the names that one of our authorities may sign servers for.
 *
 * @returns undefined if it may sign for any name, as authorities of earlier versions
 */
export function permittedNames({ raw }: X509Certificate): string[] | undefined {
  const start = Buffer.concat([objectId(nameConstraintsId), yes]);
  const at = raw.indexOf(start);
  if (at < 0) return undefined;
  const extension = take(raw.subarray(at + start.length)).content;
  let { content: subtrees } = take(take(extension).content);
  const names: string[] = [];
  while (subtrees.length > 0) {
    const { content, rest } = take(subtrees);
    names.push(decodeName(content));
    subtrees = rest;
  }
  return names;
}

function decodeName(name: Buffer): string {
  const { content } = take(name);
  if (name[0] === dnsTag) return content.toString('ascii');
  return ipaddr.fromByteArray([...content.subarray(0, content.length / 2)]).toString();
}
