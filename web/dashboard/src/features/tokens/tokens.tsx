import { KeyRound } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../../parts/buttons/button.tsx';
import { AskFirst } from '../../../../parts/overlays/ask-first.tsx';
import { Ago } from '../../../../parts/page/ago.tsx';
import { Badge, type Tone } from '../../../../parts/page/badge.tsx';
import { Card, EmptyState, Skeleton } from '../../../../parts/page/page.tsx';
import { Row } from '../../../../parts/page/row.tsx';
import { apiSettings as t } from '../../../../texts/api-settings.ts';
import { formatDate } from '../../../../texts/format.ts';
import { usage } from '../../../../texts/usage.ts';
import { LoadProblem } from '../../api/load-problem.tsx';
import type { TokenData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { Chart } from '../../shell/charts/chart.tsx';
import { requestSeries, requestsOf, useUsage } from '../limits/use-usage.ts';

const tones: Record<TokenData['state'], Tone> = {
  active: 'good',
  pending: 'warn',
  expired: 'neutral',
  revoked: 'neutral',
};

export function Tokens({
  tokens,
  abilityCount,
  onGenerate,
}: {
  tokens: TokenData[];
  /** How many abilities there are in all. */
  abilityCount: number;
  onGenerate: () => void;
}) {
  const { can } = useTenant();
  const [showEnded, setShowEnded] = useState(false);
  const live = tokens.filter((token) => token.state === 'active' || token.state === 'pending');
  const ended = tokens.length - live.length;
  const shown = (showEnded ? tokens : live).toReversed();
  const generate = can('api:write') && (
    <Button look="primary" onClick={onGenerate}>
      {t('generate')}
    </Button>
  );
  return (
    <Card
      title={t('tokensTitle')}
      intro={t('tokensIntro')}
      actions={shown.length > 0 && generate}
      flush
    >
      {shown.length === 0 ? (
        <EmptyState icon={KeyRound} title={t('emptyTitle')} action={generate}>
          {t('emptyText')}
        </EmptyState>
      ) : (
        <ul className="border-t border-line">
          {shown.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              hasAll={token.abilities.length === abilityCount}
            />
          ))}
        </ul>
      )}
      {ended > 0 && !showEnded && (
        <div className="border-t border-line px-2.5 py-2">
          <Button look="quiet" small onClick={() => setShowEnded(true)}>
            {t('showEnded', { count: ended })}
          </Button>
        </div>
      )}
    </Card>
  );
}

function TokenRow({ token, hasAll }: { token: TokenData; hasAll: boolean }) {
  const { api, can } = useTenant();
  const [isOpen, setIsOpen] = useState(false);
  const revoke = useAction(() => api.post('/tokens/{id}/revoke', { path: { id: token.id } }), {
    done: t('revoked'),
    refresh: [api.key('/api-settings')],
  });
  const isLive = token.state === 'active' || token.state === 'pending';
  return (
    <Row className="px-5 py-3">
      <div className="flex items-start justify-between gap-x-4">
        <div className="min-w-0 grow">
          <p className="flex flex-wrap items-center gap-x-2.5 gap-y-1">
            <bdi className="min-w-0 font-semibold wrap-anywhere">{token.name}</bdi>
            <Badge tone={tones[token.state]}>{t(`states.${token.state}`)}</Badge>
          </p>
          <p className="text-sm text-muted">
            {t.rich(token.expires_at ? 'tokenUseUntil' : 'tokenUse', {
              hint: () => <span className="font-mono">parley_…{token.hint}</span>,
              used: String(token.last_used_at !== null),
              ago: () => token.last_used_at && <Ago at={token.last_used_at} />,
              isOver: String(token.state === 'expired'),
              date: token.expires_at ? formatDate(token.expires_at) : '',
            })}
          </p>
        </div>
        {can('api:write') && isLive && (
          <AskFirst
            title={t('revokeTitle', { name: token.name })}
            description={t('revokeText')}
            action={t('revoke')}
            onConfirm={() => revoke.finish()}
          >
            {(ask) => (
              <Button small aria-label={t('revokeNamed', { name: token.name })} onClick={ask}>
                {t('revoke')}
              </Button>
            )}
          </AskFirst>
        )}
      </div>
      <details
        className="mt-0.5 text-sm text-muted"
        onToggle={(event) => setIsOpen(event.currentTarget.open)}
      >
        <summary className="w-fit cursor-pointer">
          {t('abilityCount', { all: String(hasAll), count: token.abilities.length })}
        </summary>
        <p className="mb-4 mt-1 break-words font-mono text-xs">{token.abilities.join('  ')}</p>
        {isOpen && <TokenUsage id={token.id} name={token.name} />}
      </details>
    </Row>
  );
}

/** The requests of a token in the last 30 days. */
function TokenUsage({ id, name }: { id: number; name: string }) {
  const { data, error } = useUsage();
  if (!data) return error ? <LoadProblem error={error} /> : <Skeleton />;
  const token = data.tokens.find((each) => each.id === id);
  if (!token) return <p>{t('notUsed')}</p>;
  return (
    <>
      <p className="mb-3" aria-hidden>
        {usage('requestsTitle')}
      </p>
      <Chart
        label={usage('requestsOf', { name })}
        empty={usage('notCounted')}
        series={requestSeries}
        days={token.days.map(requestsOf)}
      />
    </>
  );
}
