import type { ReactNode } from 'react';

/** A row of a list that opens: its summary, and the details below. The place that shows it knows whether it is open. */
export function Fold({
  isOpen,
  onOpen,
  summary,
  children,
}: {
  isOpen: boolean;
  onOpen: (isOpen: boolean) => void;
  summary: ReactNode;
  children: ReactNode;
}) {
  return (
    <details
      open={isOpen}
      onToggle={({ currentTarget: { open } }) => {
        if (open !== isOpen) onOpen(open);
      }}
    >
      <summary className="flex cursor-pointer flex-wrap items-center gap-x-3 gap-y-1 px-5 py-2.5 hover:bg-sunken/60">
        {summary}
      </summary>
      <div className="grid gap-3 bg-sunken/50 px-5 py-3 text-sm">{children}</div>
    </details>
  );
}
