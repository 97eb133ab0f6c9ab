const kibibyte = 1024;

/**
 * The maximum of bytes in a row outside of the body, such as a head with the informational responses before
 * it, or trailers. Node.js and undici accept heads of this length by default.
 */
export const maxRunBytes = 16 * kibibyte;

/**
 * The maximum of all bytes outside of the body: heads, chunk sizes and extensions, trailers. It grows with
 * the body, so chunks may be as small as 100 bytes, but not a single byte.
 */
export function maxOverheadBytes(bodyBytes: number): number {
  return 32 * kibibyte + bodyBytes / 16;
}

/**
 * The maximum of 1xx responses before the final one. Servers send one or two: 103 Early Hints, 102
 * Processing.
 */
export const maxInformationalResponses = 8;

/** The parser's own limit on headers, never reached because of the limits above. See feed-parser.ts. */
export const parserHeaderBytes = 1024 * kibibyte;
