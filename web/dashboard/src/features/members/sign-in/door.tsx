import type { ReactNode } from 'react';
import { Title } from '../../../../../parts/page/title.tsx';

/** The frame of the pages before one is in. */
export function Door({
  title,
  intro,
  children,
}: {
  title: string;
  intro?: string;
  children: ReactNode;
}) {
  return (
    <main className="grid min-h-dvh place-items-center px-4 py-10">
      <Title>{title}</Title>
      <div className="w-full max-w-sm">
        <p className="mb-6 flex items-center gap-2.5 font-semibold tracking-tight">
          <img src="/favicon.svg" alt="" className="size-8" />
          Parley
        </p>
        <h1 className="text-2xl font-semibold tracking-tight">{title}</h1>
        {intro && <p className="mt-1 text-muted">{intro}</p>}
        <div className="mt-6">{children}</div>
      </div>
    </main>
  );
}
