import { useQuery } from '@tanstack/react-query';
import type { InboundSettingsData } from '../../../../../src/tenants/dashboard-schema.ts';
import { Card, Skeleton } from '../../../../parts/page.tsx';
import { SwitchField } from '../../../../parts/switch-field.tsx';
import { common } from '../../../../texts/common.ts';
import { numbers as texts } from '../../../../texts/numbers.ts';
import { LoadProblem } from '../../api/load-problem.tsx';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';

/** What becomes of unknown phones that write. */
export function InboundSettings() {
  const { api, key, isOwner } = useTenant();
  const settings = useQuery({
    queryKey: key('inbound-settings'),
    queryFn: () => api.get<InboundSettingsData>('/inbound-settings'),
  });
  const save = useAction(
    (wanted: boolean) => api.put('/inbound-settings', { contacts_from_inbound: wanted }),
    { done: texts.inboundSaved, refresh: [key('inbound-settings')] },
  );
  if (settings.error) {
    return <LoadProblem error={settings.error} />;
  }
  return (
    <Card>
      {settings.data ? (
        <SwitchField
          label={texts.inboundTitle}
          hint={isOwner ? texts.inboundHint : `${texts.inboundHint} ${common.ownerOnly}`}
          checked={settings.data.contacts_from_inbound}
          disabled={!isOwner || save.busy}
          onChange={save.run}
        />
      ) : (
        <Skeleton lines={2} />
      )}
    </Card>
  );
}
