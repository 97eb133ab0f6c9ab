/** One request of the load, as its client saw it. */
export type Entry = {
  what: string;
  /** Milliseconds since the start of the load. */
  startedAt: number;
  tookMs: number;
  /** 0 if the connection failed. */
  status: number;
  code: string | undefined;
  /** Of a send that was accepted. */
  messageId: string | undefined;
};

/** The entries that began in a time span, in milliseconds since the start of the load. */
export function startedBetween(entries: Entry[], from: number, to: number): Entry[] {
  return entries.filter(({ startedAt }) => startedAt >= from && startedAt < to);
}

/** Describes entries in one line: how many of each status and code, and the longest time. */
export function summary(entries: Entry[]): string {
  const counts = new Map<string, number>();
  for (const { status, code } of entries) {
    const key = code === undefined ? String(status) : `${status} ${code}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const parts = [...counts].map(([key, count]) => `${count} x ${key}`);
  const longest = Math.max(0, ...entries.map(({ tookMs }) => tookMs));
  return `${parts.join(', ') || 'none'}; longest ${(longest / 1_000).toFixed(2)} s`;
}

/** Checks a promise, and prints it with what was seen. A broken promise sets the exit code. */
export function promise(text: string, isKept: boolean, seen: string): void {
  process.stdout.write(`${isKept ? 'kept  ' : 'BROKEN'}  ${text}: ${seen}\n`);
  if (!isKept) process.exitCode = 1;
}
