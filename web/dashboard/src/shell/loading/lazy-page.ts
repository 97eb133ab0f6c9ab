import { lazyRouteComponent } from '@tanstack/react-router';
import type { ComponentType } from 'react';
import { PageNotLoaded } from '../../api/problems.ts';

/**
 * A page whose code is loaded when it is first opened. The router itself would reload immediately after a failure, and
 * so leave the dashboard even if the service is only briefly unreachable.
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
