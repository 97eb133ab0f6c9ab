/**
 * So many places for each key; whoever finds none is to be refused, for nobody waits here.
 *
 * @returns `take`: gives the place back by what it returns, once; undefined when none is free
 */
export function createPlaces<Key>(most: number) {
  const taken = new Map<Key, number>();

  return {
    take(key: Key): (() => void) | undefined {
      const before = taken.get(key) ?? 0;
      if (before >= most) return undefined;
      taken.set(key, before + 1);
      return () => {
        const left = taken.get(key)! - 1;
        if (left > 0) taken.set(key, left);
        else taken.delete(key);
      };
    },
  };
}
