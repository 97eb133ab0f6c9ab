import { type ComponentType, type ReactNode, useEffect, useState } from 'react';
import { PageNotLoaded } from '../../api/problems.ts';

/**
 * A part whose code is loaded beside that of its page, not after it. It shows `fallback` itself until then: React shows
 * what a `Suspense` waits for 0.3 s after the fallback, even if it is there much sooner.
 */
export function earlyPart<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
) {
  let loaded: ComponentType<Props> | undefined;
  const loading = load().then((module) => {
    loaded = module[name];
    return loaded;
  });
  // It is thrown where the part is shown.
  loading.catch(() => {});

  return function EarlyPart({ fallback, ...props }: Props & { fallback: ReactNode }) {
    const [Part, setPart] = useState(() => loaded);
    useEffect(() => {
      if (Part) return;
      loading.then(
        (part) => setPart(() => part),
        (error) =>
          setPart(() => {
            throw new PageNotLoaded(error);
          }),
      );
    }, [Part]);
    return Part ? <Part {...(props as unknown as Props)} /> : fallback;
  };
}
