import { Skeleton } from '../../../../parts/page/page.tsx';
import { common } from '../../../../texts/common.ts';

export function PageSkeleton() {
  return (
    <div
      className="mx-auto max-w-4xl px-4 pt-8 sm:px-8"
      role="status"
      aria-label={common('loading')}
    >
      <div className="skeleton mb-6 h-8 w-48" />
      <Skeleton lines={6} />
    </div>
  );
}
