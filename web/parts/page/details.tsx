import type { ReactNode } from 'react';

/** What is known of something: each value behind its name. */
export function Details({ children }: { children: ReactNode }) {
  return <dl className="grid gap-2 text-sm">{children}</dl>;
}

export function Detail({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid gap-x-3 sm:grid-cols-[9rem_1fr]">
      <dt className="text-muted">{label}</dt>
      <dd className="min-w-0">{children}</dd>
    </div>
  );
}
