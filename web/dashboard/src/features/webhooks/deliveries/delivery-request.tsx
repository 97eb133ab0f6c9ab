import { useQuery } from '@tanstack/react-query';
import { CopyButton } from '../../../../../parts/buttons/copy-button.tsx';
import { LongText } from '../../../../../parts/page/long-text.tsx';
import { Skeleton } from '../../../../../parts/page/page.tsx';
import { webhook as t } from '../../../../../texts/webhook.ts';
import { prettyJson } from '../../../api/json-text.ts';
import { LoadProblem } from '../../../api/load-problem.tsx';
import { useTenant } from '../../../session.ts';
import { curlOf } from './curl-of.ts';

/** The request to the receiver, loaded when a delivery is opened. */
export function DeliveryRequest({
  id,
  endpoint,
}: {
  id: number;
  endpoint: { endpoint: number | undefined };
}) {
  const { api } = useTenant();
  const { data, error } = useQuery({
    ...api.asked('/webhook/deliveries/{id}', { path: { id }, query: endpoint }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  if (!data) return error ? <LoadProblem error={error} /> : <Skeleton />;
  const { url, headers, body } = data;
  return (
    <div className="grid gap-2">
      <div className="flex flex-wrap items-center gap-2">
        <span className="min-w-0 grow font-mono text-xs break-all">POST {url}</span>
        <CopyButton label={t('copyBody')} value={body ?? ''} />
        <CopyButton label={t('copyCurl')} value={curlOf(data)} />
      </div>
      <details>
        <summary className="cursor-pointer text-muted">{t('headers')}</summary>
        <div className="mt-2">
          <LongText>{headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}</LongText>
        </div>
        <p className="mt-1 text-muted">{t('signedNow')}</p>
      </details>
      <LongText>{body === null ? t('longBody') : prettyJson(body)}</LongText>
    </div>
  );
}
