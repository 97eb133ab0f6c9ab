import { Notice } from '../../../../parts/page.tsx';
import { formatDateTime, formatNumber } from '../../../../texts/format.ts';
import { webhook as texts } from '../../../../texts/webhook.ts';
import type { QuotaData } from '../../api/records.ts';

/** For how long events that were dropped are worth a notice. */
const shownForMs = 7 * 24 * 60 * 60 * 1000;

/** Says which events are dropped, or were lately, because too many wait. */
export function QuotaNotice({ quota }: { quota: QuotaData }) {
  const { recording, dropped } = quota;
  if (recording === 'none') {
    return (
      <Notice tone="bad" title={texts.fullerTitle}>
        {fillOf(quota, 2)} {texts.fullerText}
      </Notice>
    );
  }
  if (!dropped) return null;
  const count = formatNumber(dropped.events);
  const since = formatDateTime(dropped.since);
  if (recording === 'changes') {
    return (
      <Notice tone="bad" title={texts.fullTitle}>
        {fillOf(quota, 1)} {texts.fullText(since, count)}
      </Notice>
    );
  }
  if (!dropped.until || Date.parse(dropped.until) < Date.now() - shownForMs) return null;
  return (
    <Notice tone="warn" title={texts.droppedTitle}>
      {texts.droppedText(count, since, formatDateTime(dropped.until))}
    </Notice>
  );
}

function fillOf({ full_of, max_waiting, max_mb }: QuotaData, factor: number): string {
  return full_of === 'bytes'
    ? texts.fullBytes(formatNumber(max_mb * factor))
    : texts.fullWaiting(formatNumber(max_waiting * factor));
}
