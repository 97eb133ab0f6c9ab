import type { ReactNode } from 'react';

/** A row of the most important figures. */
export function Figures({ children }: { children: ReactNode }) {
  return <dl className="grid grid-cols-2 gap-3 lg:grid-cols-4">{children}</dl>;
}

export function Figure({
  label,
  value,
  hint,
  bad = false,
}: {
  /** A link in it covers the whole figure. */
  label: ReactNode;
  value: string;
  hint?: string;
  bad?: boolean;
}) {
  return (
    <div className="relative rounded-xl border border-line bg-surface px-4 py-3.5 shadow-card has-[a]:hover:bg-sunken/60">
      <dt className="text-sm text-muted">{label}</dt>
      <dd>
        <span
          className={`figures block text-2xl font-semibold tracking-tight ${bad ? 'text-bad' : ''}`}
        >
          {value}
        </span>
        {hint && <span className="block text-xs text-muted">{hint}</span>}
      </dd>
    </div>
  );
}
