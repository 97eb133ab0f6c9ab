import { Notice } from '../../../../parts/page.tsx';
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
        {fillOf(quota, 2)} {t('fullerText')}
      </Notice>
    );
  }
  if (!dropped) return null;
  const { events: count } = dropped;
  const since = formatDateTime(dropped.since);
  if (recording === 'changes') {
    return (
      <Notice tone="bad" title={t('fullTitle')}>
        {fillOf(quota, 1)} {t('fullText', { since, count })}
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

function fillOf({ full_of, max_waiting, max_mb }: QuotaData, factor: number): string {
  return full_of === 'bytes'
    ? t('fullBytes', { mb: max_mb * factor })
    : t('fullWaiting', { count: max_waiting * factor });
}
