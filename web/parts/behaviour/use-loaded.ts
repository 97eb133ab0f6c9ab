import { useState } from 'react';
import { showProblem } from '../overlays/toasts.ts';
import { Unreachable } from './problem.ts';

/**
 * Loads code when it is first needed, for example that of a list that opens. If it cannot be loaded, a toast says
 * so and the page stays as it is.
 *
 * @returns the module when it is loaded, the function that loads it, and one that does so in advance. The former calls
 * `onMissing` if the code does not arrive
 */
export function useLoaded<Module extends object>(load: () => Promise<Module>) {
  const [loaded, setLoaded] = useState<Module>();
  return {
    loaded,
    load: (onMissing?: () => void) => {
      load().then(setLoaded, (error) => {
        showProblem(new Unreachable(error));
        onMissing?.();
      });
    },
    /** Without a toast: nobody waits for it yet. */
    preload: () => {
      load().then(setLoaded, () => {});
    },
  };
}
