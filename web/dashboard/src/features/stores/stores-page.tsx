import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { Store } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../parts/buttons/button.tsx';
import { Ago } from '../../../../parts/page/ago.tsx';
import { Badge } from '../../../../parts/page/badge.tsx';
import { Card, EmptyState, Page } from '../../../../parts/page/page.tsx';
import { formatNumber } from '../../../../texts/format.ts';
import { stores as t } from '../../../../texts/stores.ts';
import { Loaded } from '../../api/loaded.tsx';
import type { StoreData } from '../../api/records.ts';
import { useTenant } from '../../session.ts';
import { usePolling } from '../messages/conversations/live/use-live.tsx';
import { ConnectStore } from './setup/connect-store.tsx';
import { usePlatform, usePlatforms } from './setup/use-platforms.ts';
import { storeHealth } from './store-health.ts';

export function StoresPage() {
  const { api, can } = useTenant();
  const [connecting, setConnecting] = useState(false);
  const stores = useQuery({
    ...api.asked('/stores'),
    refetchInterval: usePolling(30_000),
  });
  const platforms = usePlatforms();
  const connect = can('stores:write') && (
    <Button look="primary" onClick={() => setConnecting(true)}>
      {t('connect')}
    </Button>
  );
  return (
    <Page
      title={t('title')}
      intro={t('intro')}
      actions={stores.data && stores.data.length > 0 && connect}
    >
      <Loaded
        query={{ ...stores, error: stores.error ?? platforms.error }}
        isEmpty={stores.data?.length === 0}
        empty={
          <Card>
            <EmptyState icon={Store} title={t('emptyTitle')} action={connect}>
              {t('emptyText')}
            </EmptyState>
          </Card>
        }
      >
        {(found) => (
          <ul className="grid grid-cols-1 gap-3">
            {found.map((store) => (
              <StoreEntry key={store.id} store={store} />
            ))}
          </ul>
        )}
      </Loaded>
      {connecting && platforms.data && (
        <ConnectStore platforms={platforms.data} onClose={() => setConnecting(false)} />
      )}
    </Page>
  );
}

function StoreEntry({ store }: { store: StoreData }) {
  const { slug } = useTenant();
  const platform = usePlatform(store.platform);
  const [health, tone] = storeHealth(store);
  const { last_seen_at: seenAt, quiet_since: quietSince, paused_since: pausedSince } = store;
  const trouble = pausedSince
    ? t.rich('pausedShort', { ago: () => <Ago at={pausedSince} /> })
    : quietSince && t.rich('quiet', { ago: () => <Ago at={quietSince} /> });
  const figures = [
    ['received', store.received],
    ['messages_sent', store.messages_sent],
    ['failed', store.failed],
    ['refused', store.refused],
  ] as const;
  return (
    <li>
      <Link
        to="/t/$tenant/stores/$store"
        params={{ tenant: slug, store: String(store.id) }}
        className="block rounded-xl border border-line bg-surface px-5 py-4 shadow-card hover:border-line-strong"
      >
        <span className="flex flex-wrap items-center gap-2">
          <bdi className="min-w-0 font-semibold wrap-anywhere">{store.name}</bdi>
          {platform && <Badge>{platform.title}</Badge>}
          <Badge tone={tone}>{t(`health.${health}`)}</Badge>
          <span className="ml-auto text-sm text-muted">
            {seenAt ? t.rich('lastSeen', { ago: () => <Ago at={seenAt} /> }) : t('neverSeen')}
          </span>
        </span>
        {trouble && <span className="mt-1 block text-sm text-warn">{trouble}</span>}
        <span className="figures mt-2 flex flex-wrap gap-x-6 gap-y-1 text-sm text-muted">
          {figures.map(([name, value]) => (
            <span key={name} className={value > 0 && name === 'failed' ? 'text-bad' : ''}>
              {t(`counts.${name}`)} <span className="font-medium">{formatNumber(value)}</span>
            </span>
          ))}
          <span>{t('last28')}</span>
        </span>
      </Link>
    </li>
  );
}
