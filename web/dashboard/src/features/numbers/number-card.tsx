import { useState } from 'react';
import { Badge } from '../../../../parts/badge.tsx';
import { Button, buttonLook } from '../../../../parts/button.tsx';
import { CopyField } from '../../../../parts/copy-field.tsx';
import { Confirm } from '../../../../parts/dialog.tsx';
import { Card, Notice } from '../../../../parts/page.tsx';
import { SwitchField } from '../../../../parts/switch-field.tsx';
import { numbers as t } from '../../../../texts/numbers.ts';
import type { NumberData, TestedNumberData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';

export function NumberCard({
  number,
  simulatorUrl,
}: {
  number: NumberData;
  simulatorUrl: string | null;
}) {
  const { api, can } = useTenant();
  const [tested, setTested] = useState<TestedNumberData>();
  const [disconnecting, setDisconnecting] = useState(false);
  const phone = number.display_phone_number ?? number.phone_number_id;
  const test = useAction(() => api.post('/numbers/{id}/test', { path: { id: number.id } }), {
    refresh: [api.key('/numbers')],
    onDone: setTested,
  });
  const disconnect = useAction(() => api.delete('/numbers/{id}', { path: { id: number.id } }), {
    done: t('disconnected'),
    refresh: [api.allKeys],
  });
  const makeDefault = useAction(
    () => api.put('/numbers/{id}', { path: { id: number.id }, body: { default: true } }),
    { done: t('madeDefault'), refresh: [api.allKeys] },
  );
  const setEndpoint = useAction(
    (isOn: boolean) =>
      api.put('/numbers/{id}', { path: { id: number.id }, body: { marketing_endpoint: isOn } }),
    { done: t('saved'), refresh: [api.key('/numbers')] },
  );
  return (
    <Card
      title={
        <span className="flex flex-wrap items-center gap-2">
          <span className="figures">{phone}</span>
          {number.problem ? (
            <Badge tone="bad">{t('doesNotSend')}</Badge>
          ) : (
            number.default && <Badge tone="good">{t('isDefault')}</Badge>
          )}
          {number.simulator && <Badge tone="accent">{t('simulated')}</Badge>}
        </span>
      }
      actions={
        <>
          {number.simulator && simulatorUrl && (
            <a
              href={simulatorUrl}
              target="_blank"
              rel="noreferrer"
              className={buttonLook('plain', true)}
            >
              {t('openPhone')}
            </a>
          )}
          {can('numbers:write') && !number.default && (
            <Button
              small
              busy={makeDefault.busy}
              aria-label={`${t('makeDefault')}: ${phone}`}
              onClick={() => makeDefault.run()}
            >
              {t('makeDefault')}
            </Button>
          )}
          <Button
            small
            busy={test.busy}
            aria-label={`${t('test')}: ${phone}`}
            onClick={() => test.run()}
          >
            {t('test')}
          </Button>
          {can('numbers:write') && (
            <Button
              small
              aria-label={`${t('disconnect')}: ${phone}`}
              onClick={() => setDisconnecting(true)}
            >
              {t('disconnect')}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {number.problem && !tested?.works && !tested?.message.endsWith(number.problem) && (
          <Notice tone="bad">{number.problem}</Notice>
        )}
        <div aria-live="polite" className="empty:-mb-4">
          {tested && (
            <Notice
              tone={tested.works ? 'good' : 'bad'}
              title={tested.works ? t('works') : t('fails')}
            >
              {tested.message}
            </Notice>
          )}
        </div>
        <dl className="grid gap-x-8 gap-y-1 text-sm sm:grid-cols-2">
          <Detail label={t('phoneNumberId')} value={number.phone_number_id} />
          <Detail label={t('businessAccountId')} value={number.business_account_id} />
        </dl>
        {can('numbers:write') && (
          <SwitchField
            label={t('marketingEndpoint')}
            hint={t('marketingEndpointHint')}
            value={number.marketing_endpoint}
            disabled={setEndpoint.busy}
            onChange={setEndpoint.run}
          />
        )}
        {!number.simulator && can('numbers:write') && (
          <details>
            <summary className="w-fit cursor-pointer font-medium">{t('callbackTitle')}</summary>
            <p className="mb-3 mt-1 text-sm text-muted">{t('callbackText')}</p>
            <div className="grid gap-3">
              <CopyField label={t('callbackUrl')} value={number.callback_url} />
              <CopyField label={t('verifyToken')} value={number.verify_token} />
            </div>
          </details>
        )}
      </div>
      <Confirm
        title={t('disconnectTitle', { phone })}
        description={t('disconnectText')}
        action={t('disconnect')}
        open={disconnecting}
        onClose={() => setDisconnecting(false)}
        onConfirm={() => disconnect.finish()}
      />
    </Card>
  );
}

function Detail({ label, value }: { label: string; value: string }) {
  return (
    <div>
      <dt className="text-muted">{label}</dt>
      <dd className="break-all font-mono">{value}</dd>
    </div>
  );
}
