import { type ComponentType, lazy } from 'react';
import { PageNotLoaded } from '../api/problems.ts';

/** A part of a page, such as a dialog, whose code is loaded when it is first shown. It needs a `Suspense`. */
export function lazyPart<Name extends string, Props>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  return lazy(() =>
    load().then(
      (loaded) => ({ default: loaded[name] }),
      (error) => {
        throw new PageNotLoaded(error);
      },
    ),
  );
}
