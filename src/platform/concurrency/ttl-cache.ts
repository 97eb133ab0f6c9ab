/** A change in the database must take effect in every process within a second, so entries live shorter. */
export const cacheTtlMs = 900;
export const maxCacheEntries = 20_000;

/**
 * Creates a TTL cache of promises: calls with the same key within `cacheTtlMs` share one lookup. A failed
 * lookup is not cached.
 */
export function createTtlCache<Value>() {
  const entries = new Map<string, { value: Promise<Value>; until: number }>();
  return (key: string, find: () => Promise<Value>): Promise<Value> => {
    const now = performance.now();
    const entry = entries.get(key);
    if (entry && entry.until > now) return entry.value;
    if (entries.size >= maxCacheEntries) entries.clear();
    const value = find();
    entries.set(key, { value, until: now + cacheTtlMs });
    value.catch(() => entries.delete(key));
    return value;
  };
}
