import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { PageNotLoaded } from '../api/problems.ts';

/**
 * A page whose code is loaded when it is first wanted. The router's own way would reload at once when
 * that fails, and so leave the dashboard also where the service is only away.
 */
export function lazyPage<Name extends string>(
  load: () => Promise<Record<Name, ComponentType>>,
  name: Name,
) {
  return lazyRouteComponent(
    () =>
      load().catch((error) => {
        throw new PageNotLoaded(error);
      }),
    name,
  );
}
