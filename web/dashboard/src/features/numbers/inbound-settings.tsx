import { useQuery } from '@tanstack/react-query';
import { SwitchField } from '../../../../parts/fields/switch-field.tsx';
import { Card, Skeleton } from '../../../../parts/page/page.tsx';
import { common } from '../../../../texts/common.ts';
import { numbers as t } from '../../../../texts/numbers.ts';
import { LoadProblem } from '../../api/load-problem.tsx';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';

/** The settings for messages from unknown phones. */
export function InboundSettings() {
  const { api, can } = useTenant();
  const mayWrite = can('numbers:write');
  const settings = useQuery({
    ...api.asked('/inbound-settings'),
  });
  const save = useAction(
    (wanted: boolean) => api.put('/inbound-settings', { body: { contacts_from_inbound: wanted } }),
    { done: t('inboundSaved'), refresh: [api.key('/inbound-settings')] },
  );
  if (settings.error) {
    return <LoadProblem error={settings.error} />;
  }
  return (
    <Card>
      {settings.data ? (
        <SwitchField
          label={t('inboundTitle')}
          hint={mayWrite ? t('inboundHint') : common('hintForOwners', { hint: t('inboundHint') })}
          value={settings.data.contacts_from_inbound}
          disabled={!mayWrite}
          onChange={save.run}
        />
      ) : (
        <Skeleton lines={2} />
      )}
    </Card>
  );
}
