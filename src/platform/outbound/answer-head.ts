/** What an answer says before its body; names in lower case. */
export type AnswerHead = { status: number; headers: Record<string, string> };

/** The type without its parameters, in small letters; empty when the answer names none. */
export function typeOf({ headers }: AnswerHead): string {
  return (headers['content-type'] ?? '').split(';')[0]!.trim().toLowerCase();
}

/** In bytes; undefined when the answer does not say. */
export function lengthOf({ headers }: AnswerHead): number | undefined {
  const length = headers['content-length'];
  return length === undefined ? undefined : Number(length);
}
