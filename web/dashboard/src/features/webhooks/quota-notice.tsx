import { Notice } from '../../../../parts/page/page.tsx';
import { formatDateTime } from '../../../../texts/format.ts';
import { webhook as t } from '../../../../texts/webhook.ts';
import type { QuotaData } from '../../api/records.ts';

/** For how long events that were dropped are worth a notice. */
const shownForMs = 7 * 24 * 60 * 60 * 1000;

/** Says which events are dropped, or were lately, because too many wait. */
export function QuotaNotice({ quota }: { quota: QuotaData }) {
  const { recording, dropped } = quota;
  if (recording === 'none') {
    return (
      <Notice tone="bad" title={t('fullerTitle')}>
        {t('fuller', limitOf(quota, 2))}
      </Notice>
    );
  }
  if (!dropped) return null;
  const { events: count } = dropped;
  const since = formatDateTime(dropped.since);
  if (recording === 'changes') {
    return (
      <Notice tone="bad" title={t('fullTitle')}>
        {t('full', { ...limitOf(quota, 1), since, count })}
      </Notice>
    );
  }
  if (!dropped.until || Date.parse(dropped.until) < Date.now() - shownForMs) return null;
  return (
    <Notice tone="warn" title={t('droppedTitle')}>
      {t('droppedText', { count, since, until: formatDateTime(dropped.until) })}
    </Notice>
  );
}

function limitOf({ full_of, max_waiting, max_mb }: QuotaData, factor: number) {
  return { by: full_of ?? '', limit: (full_of === 'bytes' ? max_mb : max_waiting) * factor };
}
