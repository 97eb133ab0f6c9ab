import { useQuery } from '@tanstack/react-query';
import { Bot } from 'lucide-react';
import { Suspense, useState } from 'react';
import { Button } from '../../../../parts/buttons/button.tsx';
import { Card, EmptyState, Page } from '../../../../parts/page/page.tsx';
import { bots as t } from '../../../../texts/bots.ts';
import { Loaded } from '../../api/loaded.tsx';
import type { BotData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';
import { lazyPart } from '../../shell/loading/lazy-part.tsx';
import { Answers } from './answers.tsx';
import { BotEntry } from './bot-entry.tsx';
import { TryBots } from './try-bots.tsx';

const EditBot = lazyPart(() => import('./edit-bot.tsx'), 'EditBot');

export function BotsPage() {
  const { api } = useTenant();
  const [editing, setEditing] = useState<BotData | 'new'>();
  const bots = useQuery(api.asked('/bots'));
  const create = (
    <Button look="primary" onClick={() => setEditing('new')}>
      {t('create')}
    </Button>
  );
  const isEmpty = bots.data?.length === 0;
  return (
    <Page title={t('title')} intro={t('intro')} actions={!isEmpty && create}>
      <Loaded
        query={bots}
        isEmpty={isEmpty}
        empty={
          <Card>
            <EmptyState icon={Bot} title={t('emptyTitle')} action={create}>
              {t('emptyText')}
            </EmptyState>
          </Card>
        }
      >
        {(found) => (
          <>
            <Card flush>
              <ul>
                {found.map((bot) => (
                  <BotEntry key={bot.id} bot={bot} onEdit={() => setEditing(bot)} />
                ))}
              </ul>
            </Card>
            <TryBots />
          </>
        )}
      </Loaded>
      {bots.data && <Answers onlyIfAny={isEmpty} />}
      {editing && (
        <Suspense fallback={null}>
          <EditBot
            bot={editing === 'new' ? undefined : editing}
            onClose={() => setEditing(undefined)}
          />
        </Suspense>
      )}
    </Page>
  );
}
