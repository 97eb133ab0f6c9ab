import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useTenant } from '../../session.ts';

/**
 * Reloads conversations when the service says that they changed. While it cannot say so, whoever
 * shows them should ask every few seconds.
 *
 * @returns whether news come by themselves
 */
export function useLive(): boolean {
  const { api, key } = useTenant();
  const queries = useQueryClient();
  const [isLive, setIsLive] = useState(false);
  useEffect(
    () =>
      api.live({
        onOpen: setIsLive,
        onChange: (phones) => {
          void queries.invalidateQueries({ queryKey: key('conversations') });
          if (phones.length === 0) void queries.invalidateQueries({ queryKey: key('thread') });
          // A phone can be written in several ways, so every thread that is open looks.
          else void queries.invalidateQueries({ queryKey: key('thread'), type: 'active' });
        },
      }),
    [api, key, queries],
  );
  return isLive;
}
