/**
 * Adds to the count of a key. A count of 0 is removed, so that the map does not grow.
 *
 * @returns the new count
 */
export function addTo<Key>(counts: Map<Key, number>, key: Key, change: number): number {
  const count = (counts.get(key) ?? 0) + change;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
  return count;
}
