import { useQuery } from '@tanstack/react-query';
import { parse, stringify } from 'lossless-json';
import { CopyButton } from '../../../../parts/copy-button.tsx';
import { Skeleton } from '../../../../parts/page.tsx';
import { webhook as t } from '../../../../texts/webhook.ts';
import { LoadProblem } from '../../api/load-problem.tsx';
import { useTenant } from '../../session.ts';
import { curlOf } from './curl-of.ts';

const look =
  'max-h-72 overflow-auto rounded-lg border border-line bg-surface p-3 font-mono text-xs whitespace-pre-wrap break-all';

/** What is sent to the receiver, loaded when a delivery is opened. */
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
        <pre
          // It scrolls, so a keyboard must reach it.
          // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
          tabIndex={0}
          className={`${look} mt-2`}
        >
          {headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
        </pre>
        <p className="mt-1 text-muted">{t('signedNow')}</p>
      </details>
      <pre
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        className={look}
      >
        {body === null ? t('longBody') : pretty(body)}
      </pre>
    </div>
  );
}

/** Long numbers stay as they are. */
function pretty(body: string): string {
  try {
    return stringify(parse(body), null, 2) ?? body;
  } catch {
    return body;
  }
}
