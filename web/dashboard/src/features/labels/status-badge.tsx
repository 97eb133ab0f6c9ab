import type { LabelData } from '../../api/records.ts';
import { StatusDot } from './status-dot.tsx';

/** A status in its colour; the text keeps the page's own, so that every colour can be read. */
export function StatusBadge({ status }: { status: LabelData }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 rounded-full border border-line px-2 py-0.5 text-xs">
      <StatusDot status={status} size="size-2" />
      <span dir="auto" className="truncate">
        {status.name}
      </span>
    </span>
  );
}
