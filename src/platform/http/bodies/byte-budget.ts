/** A maximum of all owners together, and of each. */
export type ByteLimits = { maxBytes: number; maxBytesPerOwner: number };

const defaults: ByteLimits = { maxBytes: 256 * 1024 * 1024, maxBytesPerOwner: 32 * 1024 * 1024 };

export type ByteBudget = ReturnType<typeof createByteBudget>;

/** Counts the bytes that are held in the memory of this process for others: together, and for each owner. */
export function createByteBudget({ maxBytes, maxBytesPerOwner } = defaults) {
  const byOwner = new Map<string, number>();
  let held = 0;

  return {
    /** Which limit `bytes` more for an owner would exceed; undefined if there is room for them. */
    exceeded(owner: string, bytes: number): 'of owner' | 'of all' | undefined {
      if ((byOwner.get(owner) ?? 0) + bytes > maxBytesPerOwner) return 'of owner';
      return held + bytes > maxBytes ? 'of all' : undefined;
    },

    /** Counts `bytes`, or gives them back if they are negative. */
    add(owner: string, bytes: number): void {
      held += bytes;
      const left = (byOwner.get(owner) ?? 0) + bytes;
      if (left > 0) byOwner.set(owner, left);
      else byOwner.delete(owner);
    },
  };
}
