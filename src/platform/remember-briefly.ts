/** What changes in the database holds in every process within a second; what is known lives less. */
export const knownForMs = 900;
export const mostKnown = 20_000;

/**
 * Keeps the promise of a value for less than a second, so that calls in the meantime share one
 * look-up. A look-up that failed is not kept.
 */
export function rememberBriefly<Value>() {
  const kept = new Map<string, { value: Promise<Value>; until: number }>();
  return (key: string, find: () => Promise<Value>): Promise<Value> => {
    const now = performance.now();
    const entry = kept.get(key);
    if (entry && entry.until > now) return entry.value;
    if (kept.size >= mostKnown) kept.clear();
    const value = find();
    kept.set(key, { value, until: now + knownForMs });
    value.catch(() => kept.delete(key));
    return value;
  };
}
