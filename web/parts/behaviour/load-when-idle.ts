import { useSyncExternalStore } from 'react';

/**
 * Code that the first view can do without. It is loaded when the browser first has nothing to do.
 *
 * @returns the hook that returns the module when it is loaded
 */
export function loadWhenIdle<Module>(load: () => Promise<Module>): () => Module | undefined {
  let loaded: Module | undefined;
  let isUnderWay = false;
  const listeners = new Set<() => void>();

  function start() {
    isUnderWay = true;
    load().then(
      (module) => {
        loaded = module;
        for (const listener of listeners) listener();
      },
      // The service is away. The next page that needs the code tries again.
      () => {
        isUnderWay = false;
      },
    );
  }

  function subscribe(listener: () => void) {
    listeners.add(listener);
    if (!isUnderWay) whenIdle(start);
    return () => listeners.delete(listener);
  }

  return () => useSyncExternalStore(subscribe, () => loaded);
}

/** Browsers that are always busy are never idle. */
const idleWithinMs = 2_000;

/** Safari has no such callback. */
function whenIdle(run: () => void): void {
  if ('requestIdleCallback' in globalThis) requestIdleCallback(run, { timeout: idleWithinMs });
  else setTimeout(run);
}
