import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link, useSearch } from '@tanstack/react-router';
import { useRef, useState } from 'react';
import { Button, buttonLook } from '../../../../parts/buttons/button.tsx';
import { CopyField } from '../../../../parts/fields/copy-field.tsx';
import { ResultDialog } from '../../../../parts/overlays/form-dialog.tsx';
import { Ago } from '../../../../parts/page/ago.tsx';
import { Notice, Page } from '../../../../parts/page/page.tsx';
import { webhook as t } from '../../../../texts/webhook.ts';
import { Loaded } from '../../api/loaded.tsx';
import type { WebhookData } from '../../api/records.ts';
import { Said } from '../../api/said.tsx';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { usePolling } from '../messages/conversations/live/use-live.tsx';
import { Deliveries } from './deliveries/deliveries.tsx';
import { EndpointList } from './endpoints/endpoint-list.tsx';
import { RotateSecret } from './endpoints/rotate-secret.tsx';
import { WebhookForm } from './endpoints/webhook-form.tsx';
import { deliveriesQuery, endpointQuery, settingsQuery } from './queries.ts';
import { QuotaNotice } from './quota-notice.tsx';

/** The endpoints of a tenant, and the one that the address names. */
export function WebhookPage() {
  const { api, can, slug } = useTenant();
  const search = useSearch({ from: '/t/$tenant/webhook' });
  const [secret, setSecret] = useState<string>();
  const form = useRef<HTMLDivElement>(null);
  const endpoint = endpointQuery(search);
  const isNew = search.endpoint === 'new';
  const settings = useQuery({
    ...settingsQuery(api, search),
    refetchInterval: usePolling(30_000),
  });
  const endpoints = useQuery({
    ...api.asked('/webhook/endpoints'),
    refetchInterval: usePolling(30_000),
  }).data?.endpoints;
  const test = useAction(() => api.post('/webhook/test', { query: endpoint }), {
    done: t('testSent'),
    refresh: [api.key('/webhook/deliveries')],
  });
  const current = isNew ? null : settings.data?.webhook;
  const hasSeveral = endpoints !== undefined && (endpoints.length > 1 || !current);
  return (
    <Page
      title={isNew ? t('newTitle') : t('title')}
      intro={isNew ? t('newIntro') : t('intro')}
      actions={
        current && (
          <>
            <Button onClick={() => form.current?.focus()}>{t('settings')}</Button>
            {can('webhook:write') && <RotateSecret endpoint={endpoint} onSecret={setSecret} />}
            <Button busy={test.busy} disabled={!current.on} onClick={() => test.run()}>
              {t('test')}
            </Button>
            {can('webhook:write') && (
              <Link
                to="/t/$tenant/webhook"
                params={{ tenant: slug }}
                search={{ endpoint: 'new' }}
                className={buttonLook('plain')}
              >
                {t('add')}
              </Link>
            )}
          </>
        )
      }
    >
      {hasSeveral && endpoints.length > 0 && (
        <EndpointList endpoints={endpoints} current={search.endpoint} />
      )}
      <Loaded query={settings} lines={6}>
        {(data) => (
          <>
            {current && <StateNotice webhook={current} />}
            {current?.on && <QuotaNotice quota={data.quota} />}
            {/* Before the form, which is long: most visits are about the deliveries. */}
            {current && (
              <Deliveries key={`deliveries ${search.endpoint}`} eventTypes={data.all_event_types} />
            )}
            {data.webhook === null && typeof search.endpoint === 'number' ? (
              <Notice tone="warn">{t('missing')}</Notice>
            ) : (
              <div ref={form} tabIndex={-1}>
                <WebhookForm
                  // Not the key of the deliveries: React would keep the form of the endpoint before.
                  key={`settings ${search.endpoint}`}
                  endpoint={search.endpoint}
                  settings={data}
                  onSecret={setSecret}
                />
              </div>
            )}
          </>
        )}
      </Loaded>
      {secret && (
        <ResultDialog title={t('secretTitle')} onClose={() => setSecret(undefined)}>
          <Notice tone="warn">{t('secretText')}</Notice>
          <CopyField label={t('secret')} value={secret} />
        </ResultDialog>
      )}
    </Page>
  );
}

/** Says why an endpoint sends nothing, or that its receiver fails. */
function StateNotice({ webhook }: { webhook: WebhookData }) {
  const { on, off_reason: offReason, paused_since: pausedSince, failing_since: failing } = webhook;
  if (!on) {
    return offReason ? (
      <Notice tone="warn" title={t('offTitle')}>
        <Said says={webhook.off_says} text={offReason} />
      </Notice>
    ) : null;
  }
  if (pausedSince) {
    return (
      <Notice tone="warn" title={t('pausedTitle')}>
        {t.rich('pausedText', { ago: () => <Ago at={pausedSince} /> })}
      </Notice>
    );
  }
  return failing ? <FailingNotice id={webhook.id} since={failing} /> : null;
}

/** Says since when the receiver fails, and why, by the newest delivery that was attempted. */
function FailingNotice({ id, since }: { id: number; since: string }) {
  const { api } = useTenant();
  const newest = useInfiniteQuery(deliveriesQuery(api, { endpoint: id || undefined }));
  const last = newest.data?.pages[0]?.deliveries
    .find(({ attempts }) => attempts.length > 0)
    ?.attempts.at(-1);
  return (
    <Notice tone="bad" title={t('failingTitle')}>
      {last?.reason && (
        <>
          <Said says={last.reason_says} text={last.reason} />{' '}
        </>
      )}
      {t.rich('failingText', { ago: () => <Ago at={since} /> })}
    </Notice>
  );
}
