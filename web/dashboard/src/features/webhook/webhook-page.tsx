import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Ago } from '../../../../parts/ago.tsx';
import { Button } from '../../../../parts/button.tsx';
import { CopyField } from '../../../../parts/copy-field.tsx';
import { ResultDialog } from '../../../../parts/form-dialog.tsx';
import { Notice, Page } from '../../../../parts/page.tsx';
import { webhook as t } from '../../../../texts/webhook.ts';
import { Loaded } from '../../api/loaded.tsx';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { usePolling } from '../conversations/use-live.tsx';
import { Deliveries } from './deliveries.tsx';
import { QuotaNotice } from './quota-notice.tsx';
import { RotateSecret } from './rotate-secret.tsx';
import { WebhookForm } from './webhook-form.tsx';

export function WebhookPage() {
  const { api, can } = useTenant();
  const [secret, setSecret] = useState<string>();
  const settings = useQuery({
    ...api.asked('/webhook'),
    refetchInterval: usePolling(30_000),
  });
  const test = useAction(() => api.post('/webhook/test'), {
    done: t('testSent'),
    refresh: [api.key('/webhook/deliveries')],
  });
  const current = settings.data?.webhook;
  const failingSince = current?.failing_since;
  return (
    <Page
      title={t('title')}
      intro={t('intro')}
      actions={
        current && (
          <>
            {can('webhook:write') && <RotateSecret onSecret={setSecret} />}
            <Button busy={test.busy} disabled={!current.on} onClick={() => test.run()}>
              {t('test')}
            </Button>
          </>
        )
      }
    >
      <Loaded query={settings} lines={6}>
        {(data) => (
          <>
            {current?.off_reason && !current.on && (
              <Notice tone="warn" title={t('offTitle')}>
                {current.off_reason}
              </Notice>
            )}
            {current?.on && failingSince && (
              <Notice tone="bad" title={t('failingTitle')}>
                {t.rich('failingText', { ago: () => <Ago at={failingSince} /> })}
              </Notice>
            )}
            {current?.on && <QuotaNotice quota={data.quota} />}
            <WebhookForm
              webhook={current ?? undefined}
              eventTypes={data.event_types}
              onSecret={setSecret}
            />
            {current && <Deliveries eventTypes={data.event_types} />}
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
