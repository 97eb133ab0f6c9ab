import { useEffect, useState } from 'react';

/** Returns the latest value that did not change for `forMs`; undefined until there is one. */
export function useSettled<Value>(value: Value, forMs: number): Value | undefined {
  const [settled, setSettled] = useState<Value>();
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), forMs);
    return () => clearTimeout(timer);
  }, [value, forMs]);
  return settled;
}
