import { Button, buttonLook } from '../../../../parts/buttons/button.tsx';
import { SwitchField } from '../../../../parts/fields/switch-field.tsx';
import { AskFirst } from '../../../../parts/overlays/ask-first.tsx';
import { Ago } from '../../../../parts/page/ago.tsx';
import { Badge } from '../../../../parts/page/badge.tsx';
import { Detail, Details } from '../../../../parts/page/details.tsx';
import { Card, Notice } from '../../../../parts/page/page.tsx';
import { formatDate } from '../../../../texts/format.ts';
import { numbers as t } from '../../../../texts/numbers.ts';
import type { NumberData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { NumberChecks } from './number-checks.tsx';
import { NumberState } from './number-state.tsx';
import { nameOf } from './use-numbers.ts';
import { useVerify } from './use-verify.ts';

export function NumberCard({
  number,
  simulatorUrl,
}: {
  number: NumberData;
  simulatorUrl: string | null;
}) {
  const { api, can } = useTenant();
  const phone = nameOf(number);
  const verify = useVerify(number);
  const disconnect = useAction(() => api.delete('/numbers/{id}', { path: { id: number.id } }), {
    done: ({ callbacks: { to, url } }) => t(`disconnected.${to}`, { url: url ?? '' }),
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
          <Badge tone={tones[number.state]}>{t(`states.${number.state}`)}</Badge>
          {number.default && <Badge>{t('isDefault')}</Badge>}
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
              aria-label={t('makeDefaultNamed', { phone })}
              onClick={() => makeDefault.run()}
            >
              {t('makeDefault')}
            </Button>
          )}
          <Button
            small
            busy={verify.busy}
            aria-label={t('checkNamed', { phone })}
            onClick={() => verify.run({})}
          >
            {t('check')}
          </Button>
          {can('numbers:write') && (
            <AskFirst
              title={t('disconnectTitle', { phone })}
              description={t('disconnectText')}
              action={t('disconnect')}
              onConfirm={() => disconnect.finish()}
            >
              {(ask) => (
                <Button small aria-label={t('disconnectNamed', { phone })} onClick={ask}>
                  {t('disconnect')}
                </Button>
              )}
            </AskFirst>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-4">
        {verify.checked && <NumberChecks checks={verify.checked.checks} />}
        {(number.state !== 'works' || verify.checked) && (
          <NumberState number={number} verify={verify} />
        )}
        {endsSoon(number.token_expires_at) && (
          <Notice tone="warn">
            {t('tokenEnds', { date: formatDate(number.token_expires_at) })}
          </Notice>
        )}
        <Details>
          {number.verified_name && (
            <Detail label={t('verifiedName')}>
              <bdi>{number.verified_name}</bdi>
            </Detail>
          )}
          <Detail label={t('lastReport')}>
            {number.heard_at ? <Ago at={number.heard_at} /> : t('never')}
          </Detail>
          <Detail label={t('phoneNumberId')}>
            <span className="font-mono">{number.phone_number_id}</span>
          </Detail>
          <Detail label={t('businessAccountId')}>
            <span className="font-mono">{number.business_account_id}</span>
          </Detail>
        </Details>
        {can('numbers:write') && (
          <SwitchField
            label={t('marketingEndpoint')}
            hint={t('marketingEndpointHint')}
            value={number.marketing_endpoint}
            onChange={setEndpoint.run}
          />
        )}
      </div>
    </Card>
  );
}

/** Whether a time is less than two weeks away, or past. Processes of the version before do not send it. */
function endsSoon(at: string | null | undefined): at is string {
  return Boolean(at) && Date.parse(at!) < Date.now() + 14 * 86_400_000;
}

const tones = { works: 'good', not_verified: 'warn', does_not_work: 'bad' } as const;
