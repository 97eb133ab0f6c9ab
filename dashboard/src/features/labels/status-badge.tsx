import type { LabelRecord } from '../../../../src/labels/schema.ts';

/** A status in its colour; the text keeps the page's own, so that every colour can be read. */
export function StatusBadge({ status }: { status: LabelRecord }) {
  return (
    <span className="inline-flex max-w-full items-center gap-1.5 rounded-full border border-line px-2 py-0.5 text-xs">
      <span
        className="size-2 shrink-0 rounded-full forced-color-adjust-none"
        style={{ background: status.color ?? 'var(--line-strong)' }}
      />
      <span dir="auto" className="truncate">
        {status.name}
      </span>
    </span>
  );
}
