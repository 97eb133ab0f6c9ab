import { Phone } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../parts/buttons/button.tsx';
import { Card, EmptyState, Notice, Page } from '../../../../parts/page/page.tsx';
import { formatDate } from '../../../../texts/format.ts';
import { numbers as t } from '../../../../texts/numbers.ts';
import { Loaded } from '../../api/loaded.tsx';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { ConnectNumber } from './connect-number.tsx';
import { connectedText } from './connected-text.ts';
import { InboundSettings } from './inbound-settings.tsx';
import { KeepFilesSettings } from './keep-files-settings.tsx';
import { KeepMessagesSettings } from './keep-messages-settings.tsx';
import { NumberCard } from './number-card.tsx';
import { SimulatedNotice } from './simulated-notice.tsx';
import { nameOf, useNumbers } from './use-numbers.ts';

export function NumbersPage() {
  const { api, can } = useTenant();
  const [connecting, setConnecting] = useState(false);
  const numbers = useNumbers();
  const simulate = useAction(() => api.post('/numbers/simulated'), {
    done: connectedText,
    refresh: [api.allKeys],
  });
  const hasSimulator = Boolean(numbers.data?.simulator_url);
  const actions = can('numbers:write') && (
    <>
      {hasSimulator && (
        <Button busy={simulate.busy} onClick={() => simulate.run()}>
          {t('connectSimulated')}
        </Button>
      )}
      <Button look="primary" onClick={() => setConnecting(true)}>
        {t('connect')}
      </Button>
    </>
  );
  const simulated = numbers.data?.numbers.find((each) => each.default && each.simulator);
  const isEmpty = numbers.data?.numbers.length === 0;
  return (
    <Page title={t('title')} intro={t('intro')} actions={!isEmpty && actions}>
      <Loaded
        query={numbers}
        isEmpty={isEmpty}
        empty={
          <Card>
            <EmptyState icon={Phone} title={t('emptyTitle')} action={actions}>
              {hasSimulator ? t('emptyTextSimulator') : t('emptyText')}
            </EmptyState>
          </Card>
        }
      >
        {(data) => (
          <>
            <SimulatedNotice phone={simulated && nameOf(simulated)} />
            {data.unconnected.map((each) => (
              <Notice
                key={each.phone_number_id}
                tone="warn"
                title={t('unconnectedTitle', { phone: nameOf(each) })}
              >
                {t('unconnectedText', { reports: each.reports, date: formatDate(each.first_at) })}
              </Notice>
            ))}
            {data.numbers.map((number) => (
              <NumberCard key={number.id} number={number} simulatorUrl={data.simulator_url} />
            ))}
            <InboundSettings />
            <KeepFilesSettings />
            <KeepMessagesSettings />
          </>
        )}
      </Loaded>
      {connecting && <ConnectNumber onClose={() => setConnecting(false)} />}
    </Page>
  );
}
