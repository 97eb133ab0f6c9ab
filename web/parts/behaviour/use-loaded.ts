import { useState } from 'react';
import { common } from '../../texts/common.ts';
import { showProblem } from '../overlays/toasts.ts';
import { loadOnceMore } from './load-once-more.ts';
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
        // A browser requests the code only once, even if it did not arrive.
        showProblem(new Unreachable(error), { words: common('tryAgain'), run: loadOnceMore });
        onMissing?.();
      });
    },
    /** Without a toast: nobody waits for it yet. */
    preload: () => {
      load().then(setLoaded, () => {});
    },
  };
}
