import { type ReactNode, useState } from 'react';
import { Ago } from '../../../../../parts/page/ago.tsx';
import { Badge } from '../../../../../parts/page/badge.tsx';
import { Fold } from '../../../../../parts/page/fold.tsx';
import { Row } from '../../../../../parts/page/row.tsx';
import { webhook as t } from '../../../../../texts/webhook.ts';
import type { DeliveryData } from '../../../api/records.ts';
import { tones } from './delivery.tsx';

/** Deliveries in a row that look alike. Opened, each of them. */
export function Alike({
  deliveries,
  isOpen,
  children: row,
}: {
  deliveries: DeliveryData[];
  /** Whether one of them is open. */
  isOpen: boolean;
  children: (delivery: DeliveryData) => ReactNode;
}) {
  const [isUnfolded, setUnfolded] = useState(isOpen);
  const first = deliveries[0]!;
  const status = first.attempts.at(-1)?.status;
  return (
    <Fold
      isOpen={isUnfolded || isOpen}
      onOpen={setUnfolded}
      summary={
        <>
          <span className="flex shrink-0 sm:min-w-20">
            <Badge tone={tones[first.state]}>{t(`states.${first.state}`)}</Badge>
          </span>
          <span className="font-mono text-sm">{first.event}</span>
          <span className="text-sm font-medium">{t('alike', { count: deliveries.length })}</span>
          <span className="figures ms-auto text-sm text-muted">
            {status && `${status} · `}
            <Ago at={first.created_at} />
          </span>
        </>
      }
    >
      {(isUnfolded || isOpen) && (
        <ul className="rounded-lg border border-line bg-surface">
          {deliveries.map((delivery) => (
            <Row key={delivery.id}>{row(delivery)}</Row>
          ))}
        </ul>
      )}
    </Fold>
  );
}
