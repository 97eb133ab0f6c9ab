import { useQuery } from '@tanstack/react-query';
import { parse, stringify } from 'lossless-json';
import type { ReactNode } from 'react';
import { CopyField } from '../../../../parts/copy-field.tsx';
import { Skeleton } from '../../../../parts/page.tsx';
import { formatDateTime } from '../../../../texts/format.ts';
import { requests as t } from '../../../../texts/requests.ts';
import { LoadProblem } from '../../api/load-problem.tsx';
import type { RequestData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';
import { requestQuery } from './queries.ts';

/** Everything that is logged of a request. Its bodies are loaded when it is opened. */
export function RequestDetails({ request }: { request: RequestData }) {
  const { api } = useTenant();
  const { data, error } = useQuery(requestQuery(api, request.id));
  return (
    <>
      <CopyField label={t('requestId')} value={request.request_id} />
      <dl className="grid gap-2">
        <Detail label={t('at')}>{formatDateTime(request.at)}</Detail>
        <Detail label={t('token')}>
          <bdi>{request.token.name}</bdi>
        </Detail>
        <Detail label={t('fullPath')}>
          <span className="font-mono break-all">{request.path}</span>
        </Detail>
        {request.error && (
          <Detail label={t('error')}>
            <span className="font-mono">{request.error.code}</span>:{' '}
            <span dir="auto" className="wrap-anywhere">
              {request.error.message}
            </span>
          </Detail>
        )}
      </dl>
      {!data && (error ? <LoadProblem error={error} /> : <Skeleton />)}
      {data && <Body label={t('requestBody')} json={data.request_body} />}
      {data && <Body label={t('responseBody')} json={data.response_body} />}
      {data && data.request_body === null && data.response_body === null && (
        <p className="text-muted">{t('noBodies')}</p>
      )}
    </>
  );
}

function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-3 sm:grid-cols-[7rem_1fr]">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}

function Body({ label, json }: { label: string; json: string | null }) {
  if (json === null) return null;
  return (
    <section aria-label={label} className="grid gap-1">
      <p className="font-medium">{label}</p>
      <pre
        // It scrolls, so a keyboard must reach it.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        className="max-h-72 overflow-auto rounded-lg border border-line bg-surface p-3 font-mono text-xs whitespace-pre-wrap break-all"
      >
        {pretty(json)}
      </pre>
    </section>
  );
}

/** A long body is cut, and then no JSON. */
function pretty(json: string): string {
  try {
    return stringify(parse(json), null, 2) ?? json;
  } catch {
    return json;
  }
}
