import { CatchBoundary } from '@tanstack/react-router';
import { type ComponentType, lazy, type ReactNode } from 'react';
import { loadOnceMore } from '../../../../parts/behaviour/load-once-more.ts';
import { showProblem } from '../../../../parts/overlays/toasts.ts';
import { common } from '../../../../texts/common.ts';
import { PageNotLoaded } from '../../api/problems.ts';

/**
 * A part of a page, such as a dialog, whose code is loaded when it is first shown. It needs a `Suspense`. If its code
 * does not arrive, a notice says so, the part closes, and the page stays as it is.
 *
 * @param instead what is shown without its code
 */
export function lazyPart<Name extends string, Props extends object>(
  load: () => Promise<Record<Name, ComponentType<Props>>>,
  name: Name,
  instead?: (props: Props) => ReactNode,
) {
  const Part = lazy<ComponentType<object>>(() =>
    load().then(
      (loaded) => ({ default: loaded[name] as ComponentType<object> }),
      (error) => {
        throw new PageNotLoaded(error);
      },
    ),
  );
  return (props: Props & { onClose?: () => void }) => (
    <CatchBoundary
      getResetKey={() => 0}
      errorComponent={({ error }) => {
        if (error instanceof PageNotLoaded) return instead?.(props);
        throw error;
      }}
      onCatch={(error) => {
        if (!(error instanceof PageNotLoaded)) return;
        // A browser requests the code only once, even if it did not arrive.
        showProblem(error, { words: common('tryAgain'), run: loadOnceMore });
        props.onClose?.();
      }}
    >
      <Part {...props} />
    </CatchBoundary>
  );
}
