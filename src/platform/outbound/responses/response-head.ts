/** The status and headers of a response; header names in lower case. */
export type ResponseHead = { status: number; headers: Record<string, string> };

/** Returns the media type without parameters, in lower case; empty if there is no `Content-Type`. */
export function typeOf({ headers }: ResponseHead): string {
  return (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
}

/** Returns the announced length in bytes; undefined without `Content-Length`. */
export function lengthOf({ headers }: ResponseHead): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}
