import type { ReactElement } from 'react';
import { loadWhenIdle } from '../behaviour/load-when-idle.ts';

const useBubble = loadWhenIdle(() => import('./tip-bubble.tsx'));

/**
 * More about its child, shown while the pointer or the focus is on it.
 *
 * @param children one element. If it can be pressed but does nothing else, set `opensByPress`, so that the tip
 *   also opens where there is no pointer that hovers.
 */
export function Tip({
  children,
  ...tip
}: {
  words: string;
  opensByPress?: boolean;
  children: ReactElement;
}) {
  const bubble = useBubble();
  return bubble ? <bubble.TipBubble {...tip}>{children}</bubble.TipBubble> : children;
}
