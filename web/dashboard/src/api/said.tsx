import { Suspense } from 'react';
import type { Coded } from '../../../texts/faults.ts';
import { lazyPart } from '../shell/loading/lazy-part.tsx';

/** The wordings are long, and most pages never need them. */
const Worded = lazyPart(
  () => import('./worded.tsx'),
  'Worded',
  ({ otherwise }) => otherwise,
);

/** A sentence of the service in our wording. One that was stored without its code is shown as it is. */
export function Said({ says, text }: { says?: Coded | null | undefined; text: string }) {
  if (!says) return text;
  return (
    <Suspense fallback={text}>
      <Worded says={says} otherwise={text} />
    </Suspense>
  );
}
