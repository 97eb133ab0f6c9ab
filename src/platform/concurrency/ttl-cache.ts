import { BoundedMap } from './bounded-map.ts';

/** A change in the database must take effect in every process within a second, so entries live shorter. */
export const cacheTtlMs = 900;
const maxEntries = 20_000;

/**
 * Creates a cache of values that expire.
 *
 * @param elapsedMs the time, as of `performance.now()`
 */
export function createTtlCache<Value>({
  ttlMs = cacheTtlMs,
  elapsedMs = () => performance.now(),
} = {}) {
  const entries = new BoundedMap<string, { value: Value; until: number }>(maxEntries);
  return {
    /** Returns the value of a key; undefined if there is none or it has expired. */
    get(key: string): Value | undefined {
      const entry = entries.get(key);
      return entry && entry.until > elapsedMs() ? entry.value : undefined;
    },
    /** Returns whether a key has a value, expired or not. */
    has: (key: string): boolean => entries.has(key),
    /** Stores a value until a time, by default for the TTL from now. */
    set(key: string, value: Value, until = elapsedMs() + ttlMs): void {
      entries.set(key, { value, until });
    },
    delete(key: string): void {
      entries.delete(key);
    },
  };
}

/**
 * Creates a cache of lookups: calls with the same key within `cacheTtlMs` share one lookup. A failed lookup
 * is not cached.
 */
export function createLookupCache<Value>() {
  const cache = createTtlCache<Promise<Value>>();
  return (key: string, lookUp: () => Promise<Value>): Promise<Value> => {
    const cached = cache.get(key);
    if (cached) return cached;
    const value = lookUp();
    cache.set(key, value);
    value.catch(() => cache.delete(key));
    return value;
  };
}
