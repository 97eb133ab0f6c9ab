import type { LabelData } from '../../api/records.ts';

/** The colour of a status; its edge shows where the page has the same one, as black on dark. */
export function StatusDot({ status, size }: { status: LabelData; size: 'size-2' | 'size-3' }) {
  return (
    <span
      className={`${size} shrink-0 rounded-full ring-1 ring-inset ring-line-strong forced-color-adjust-none`}
      style={{ background: status.color ?? 'var(--line-strong)' }}
    />
  );
}
