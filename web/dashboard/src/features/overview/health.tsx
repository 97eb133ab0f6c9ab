import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import { buttonLook } from '../../../../parts/buttons/button.tsx';
import { Ago } from '../../../../parts/page/ago.tsx';
import { Badge, type Tone } from '../../../../parts/page/badge.tsx';
import { Card } from '../../../../parts/page/page.tsx';
import { Row } from '../../../../parts/page/row.tsx';
import { overview as t } from '../../../../texts/overview.ts';
import { stores } from '../../../../texts/stores.ts';
import type { EndpointData, StoreData } from '../../api/records.ts';
import { Said } from '../../api/said.tsx';
import { useTenant } from '../../session.ts';
import { storeHealth } from '../stores/store-health.ts';

/** Whether the endpoints of the webhook deliver and the stores post as they used to. */
export function Health() {
  const { slug, api } = useTenant();
  const endpoints = useQuery(api.asked('/webhook/endpoints')).data?.endpoints;
  const stores = useQuery(api.asked('/stores'));
  if (!endpoints || !stores.data) return null;
  const isEmpty = endpoints.length === 0 && stores.data.length === 0;
  return (
    <Card title={t('healthTitle')} flush={!isEmpty}>
      {isEmpty ? (
        <>
          <p className="text-muted">{t('noHealth')}</p>
          <p className="mt-3 flex flex-wrap gap-2">
            <Link
              to="/t/$tenant/webhook"
              params={{ tenant: slug }}
              className={buttonLook('plain', true)}
            >
              {t('setUpWebhook')}
            </Link>
            <Link
              to="/t/$tenant/stores"
              params={{ tenant: slug }}
              className={buttonLook('plain', true)}
            >
              {t('connectStore')}
            </Link>
          </p>
        </>
      ) : (
        <ul className="border-t border-line">
          {endpoints.map((endpoint) => (
            <Row key={endpoint.id}>
              <Link
                to="/t/$tenant/webhook"
                params={{ tenant: slug }}
                search={{ endpoint: endpoint.id || undefined }}
                className={line}
              >
                <Line
                  name={
                    endpoints.length === 1 ? t('webhook') : t('endpoint', { name: endpoint.name })
                  }
                  {...endpointHealth(endpoint)}
                />
              </Link>
            </Row>
          ))}
          {stores.data.map((store) => (
            <Row key={store.id}>
              <Link
                to="/t/$tenant/stores/$store"
                params={{ tenant: slug, store: String(store.id) }}
                className={line}
              >
                <Line name={store.name} {...lineOf(store)} />
              </Link>
            </Row>
          ))}
        </ul>
      )}
    </Card>
  );
}

const line = 'flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-2.5 hover:bg-sunken/60';

type LineHealth = { tone: Tone; state: string; words: ReactNode };

function Line({ name, tone, state, words }: LineHealth & { name: string }) {
  return (
    <>
      <span className="flex shrink-0 sm:min-w-28">
        <Badge tone={tone}>{state}</Badge>
      </span>
      <bdi className="min-w-0 grow basis-40 break-words font-medium">{name}</bdi>
      <span className="basis-full text-sm text-muted sm:basis-auto">{words}</span>
    </>
  );
}

function endpointHealth(endpoint: EndpointData): LineHealth {
  const { on, off_reason, off_says, paused_since, recording, failing_since } = endpoint;
  if (!on) {
    const words =
      off_reason === null ? t('webhookOff') : <Said says={off_says} text={off_reason} />;
    return { tone: 'neutral', state: t('off'), words };
  }
  if (recording !== 'all') {
    return { tone: 'bad', state: t('attention'), words: t('webhookFull') };
  }
  if (paused_since) {
    const words = t.rich('webhookPaused', { ago: () => <Ago at={paused_since} /> });
    return { tone: 'warn', state: t('paused'), words };
  }
  if (!failing_since) return { tone: 'good', state: t('well'), words: t('webhookOn') };
  return {
    tone: 'bad',
    state: t('failing'),
    words: t.rich('webhookFailing', { ago: () => <Ago at={failing_since} /> }),
  };
}

function lineOf(store: StoreData): LineHealth {
  const [health, tone] = storeHealth(store);
  return { tone, state: stores(`health.${health}`), words: wordsOf(store) };
}

function wordsOf(store: StoreData): ReactNode {
  const { quiet_since: since, paused_since: pausedSince, failed, refused } = store;
  if (pausedSince) return t.rich('storePaused', { ago: () => <Ago at={pausedSince} /> });
  if (since) return t.rich('storeQuiet', { ago: () => <Ago at={since} /> });
  if (failed + refused > 0) return t('storeFailed', { failed, refused });
  if (!store.last_seen_at) return stores('neverSeen');
  return t('storeWell', { messages: store.messages_sent });
}
