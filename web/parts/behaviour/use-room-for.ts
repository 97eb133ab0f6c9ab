import { useEffect } from 'react';
import { keep, kept } from './browser-storage.ts';

/**
 * Whether to leave room for something that only some people have, such as a row of filters, so that what is around it
 * does not move when it comes.
 *
 * @param key remembers in this browser whether it was there the last time
 * @param isThere whether it is there; undefined while that is loading
 */
export function useRoomFor(key: string, isThere: boolean | undefined): boolean {
  useEffect(() => {
    if (isThere !== undefined) keep('localStorage', key, isThere ? 'yes' : null);
  }, [key, isThere]);
  return isThere ?? kept('localStorage', key) !== null;
}
