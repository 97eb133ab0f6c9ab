const kibibyte = 1024;

/**
 * Bytes in a row that are no body, such as a head with the informational ones before it, or trailers.
 * Node.js and undici accept heads of this length by default.
 */
export const maxRunBytes = 16 * kibibyte;

/**
 * All bytes of a response that are no body: heads, chunk sizes and extensions, trailers. Grows with
 * the body, so chunks may be 100 bytes small, but not a single byte.
 */
export function maxOverheadBytes(bodyBytes: number): number {
  return 32 * kibibyte + bodyBytes / 16;
}

/** 1xx responses before the final one. Servers send one or two: 103 Early Hints, 102 Processing. */
export const maxInformationalResponses = 8;

/** The parser's own limit on headers: beyond the reach of those above, see feed-parser.ts. */
export const parserHeaderBytes = 1024 * kibibyte;
