import { Suspense } from 'react';
import { Ago } from '../../../../parts/page/ago.tsx';
import { Badge } from '../../../../parts/page/badge.tsx';
import { Fold } from '../../../../parts/page/fold.tsx';
import { Skeleton } from '../../../../parts/page/page.tsx';
import { requests as t } from '../../../../texts/requests.ts';
import type { RequestData } from '../../api/records.ts';
import { lazyPart } from '../../shell/loading/lazy-part.tsx';

/** Few requests are opened. */
const RequestDetails = lazyPart(() => import('./request-details.tsx'), 'RequestDetails');

/** A request of a token: its outcome, and opened, everything that is logged of it. */
export function RequestEntry({
  request,
  isOpen,
  onOpen,
}: {
  request: RequestData;
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
}) {
  const { status, error, left_out: leftOut } = request;
  return (
    <>
      <Fold
        isOpen={isOpen}
        onOpen={onOpen}
        summary={
          <>
            <span className="figures flex shrink-0 sm:min-w-10">
              <Badge tone={toneOf(status)}>{status}</Badge>
            </span>
            <span className="min-w-0 font-mono text-sm break-all">
              {request.method} {request.path}
            </span>
            {error && <span className="text-sm text-bad">{error.code}</span>}
            <span className="figures ms-auto text-end text-sm text-muted">
              <bdi>{request.token.name}</bdi>
              {' · '}
              {t('took', { ms: request.duration_ms })}
              {' · '}
              <Ago at={request.at} />
            </span>
          </>
        }
      >
        {isOpen && (
          <Suspense fallback={<Skeleton />}>
            <RequestDetails request={request} />
          </Suspense>
        )}
      </Fold>
      {leftOut > 0 && (
        <p className="px-5 pb-2.5 text-sm text-muted">{t('leftOut', { count: leftOut })}</p>
      )}
    </>
  );
}

function toneOf(status: number) {
  if (status >= 500) return 'bad';
  return status >= 400 ? 'warn' : 'good';
}
