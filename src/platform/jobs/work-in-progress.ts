import { addTo } from '../concurrency/counts.ts';

export type WorkInProgress = ReturnType<typeof createWorkInProgress>;

/** Knows for which tenants this process is writing, so that it can say when it has stopped. */
export function createWorkInProgress() {
  const counts = new Map<number, number>();
  /** Claims that have not returned yet. Each may be for any tenant. */
  const claims = new Set<Promise<void>>();
  const waiting = new Map<number, (() => void)[]>();

  function count(tenantId: number, change: number): void {
    if (addTo(counts, tenantId, change) > 0) return;
    for (const wake of waiting.get(tenantId) ?? []) wake();
    waiting.delete(tenantId);
  }

  return {
    /** Does work for a tenant. It is counted from this call to its end. */
    async during<Result>(tenantId: number, work: () => Result | Promise<Result>): Promise<Result> {
      count(tenantId, 1);
      try {
        return await work();
      } finally {
        count(tenantId, -1);
      }
    },

    /** Records that work is being claimed. Call the result once the claimed work is counted. */
    beginClaim(): () => void {
      const { promise, resolve } = Promise.withResolvers<void>();
      claims.add(promise);
      return () => {
        claims.delete(promise);
        resolve();
      };
    },

    /** Waits until all work for a tenant that was begun or is being claimed now has ended. */
    async untilNone(tenantId: number): Promise<void> {
      await Promise.all(claims);
      while (counts.has(tenantId)) {
        await new Promise<void>((wake) => {
          waiting.set(tenantId, [...(waiting.get(tenantId) ?? []), wake]);
        });
      }
    },
  };
}
