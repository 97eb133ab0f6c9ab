import { Link } from '@tanstack/react-router';
import { Ago } from '../../../../../parts/page/ago.tsx';
import { Badge, type Tone } from '../../../../../parts/page/badge.tsx';
import { Card } from '../../../../../parts/page/page.tsx';
import { Row } from '../../../../../parts/page/row.tsx';
import { webhook as t } from '../../../../../texts/webhook.ts';
import type { EndpointData } from '../../../api/records.ts';
import { useTenant } from '../../../session.ts';

/** The endpoints of a tenant with their health. The address says which one is shown below. */
export function EndpointList({
  endpoints,
  current,
}: {
  endpoints: EndpointData[];
  current: number | 'new' | undefined;
}) {
  const { slug } = useTenant();
  return (
    <Card title={t('endpoints')} intro={t('endpointsIntro')} flush>
      <ul>
        {endpoints.map((endpoint) => {
          const isCurrent = endpoint.id === (current ?? 0);
          const [health, tone] = healthOf(endpoint);
          return (
            <Row key={endpoint.id}>
              <Link
                to="/t/$tenant/webhook"
                params={{ tenant: slug }}
                search={{ endpoint: endpoint.id || undefined }}
                aria-current={isCurrent ? 'true' : undefined}
                className={`flex flex-wrap items-center gap-x-3 gap-y-1 px-5 py-2.5 hover:bg-sunken/60 ${isCurrent ? 'bg-accent-soft/50' : ''}`}
              >
                <span className="flex shrink-0 sm:min-w-24">
                  <Badge tone={tone}>{t(`health.${health}`)}</Badge>
                </span>
                <bdi className="font-semibold wrap-anywhere">{endpoint.name}</bdi>
                <span className="min-w-0 basis-full truncate font-mono text-xs text-muted sm:basis-auto sm:grow">
                  {endpoint.url}
                </span>
                <span className="figures ms-auto text-sm text-muted">
                  {endpoint.waiting > 0 && `${t('waitingCount', { count: endpoint.waiting })} · `}
                  {endpoint.last &&
                    t.rich('lastEvent', { ago: () => <Ago at={endpoint.last!.created_at} /> })}
                </span>
              </Link>
            </Row>
          );
        })}
      </ul>
    </Card>
  );
}

type Health = 'off' | 'paused' | 'failing' | 'waiting' | 'works' | 'unused';

function healthOf(endpoint: EndpointData): [Health, Tone] {
  if (!endpoint.on) return ['off', 'neutral'];
  if (endpoint.paused_since) return ['paused', 'warn'];
  if (endpoint.failing_since) return ['failing', 'bad'];
  if (endpoint.waiting > 0) return ['waiting', 'warn'];
  return endpoint.last ? ['works', 'good'] : ['unused', 'neutral'];
}
