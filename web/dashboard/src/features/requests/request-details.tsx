import { useQuery } from '@tanstack/react-query';
import { CopyField } from '../../../../parts/fields/copy-field.tsx';
import { Detail, Details } from '../../../../parts/page/details.tsx';
import { LongText } from '../../../../parts/page/long-text.tsx';
import { Skeleton } from '../../../../parts/page/page.tsx';
import { formatExactTime } from '../../../../texts/format.ts';
import { requests as t } from '../../../../texts/requests.ts';
import { prettyJson } from '../../api/json-text.ts';
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
      <Details>
        <Detail label={t('at')}>{formatExactTime(request.at)}</Detail>
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
      </Details>
      {!data && (error ? <LoadProblem error={error} /> : <Skeleton />)}
      {data && <Body label={t('requestBody')} json={data.request_body} />}
      {data && <Body label={t('responseBody')} json={data.response_body} />}
      {data && data.request_body === null && data.response_body === null && (
        <p className="text-muted">{t('noBodies')}</p>
      )}
    </>
  );
}

function Body({ label, json }: { label: string; json: string | null }) {
  if (json === null) return null;
  return (
    <section aria-label={label} className="grid gap-1">
      <p className="font-medium">{label}</p>
      <LongText>{prettyJson(json)}</LongText>
    </section>
  );
}
