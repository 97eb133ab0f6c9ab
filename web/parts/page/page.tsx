import type { LucideIcon } from 'lucide-react';
import { CircleAlert, CircleCheck } from 'lucide-react';
import type { ReactNode } from 'react';
import { Title } from './title.tsx';

/** A page: its title, its purpose, its actions, and its contents. */
export function Page({
  title,
  intro,
  actions,
  wide = false,
  children,
}: {
  title: string;
  intro?: ReactNode;
  actions?: ReactNode;
  wide?: boolean;
  children: ReactNode;
}) {
  return (
    <div className={`mx-auto px-4 pb-16 pt-5 sm:px-8 sm:pt-8 ${wide ? 'max-w-7xl' : 'max-w-4xl'}`}>
      <Title>{title}</Title>
      <header className="mb-5 flex flex-wrap items-start justify-between gap-x-6 gap-y-3 sm:flex-nowrap">
        <div className="min-w-0 max-w-2xl">
          <h1 className="text-2xl font-semibold tracking-tight wrap-anywhere">
            <bdi>{title}</bdi>
          </h1>
          {intro && <p className="mt-1 text-muted">{intro}</p>}
        </div>
        {actions && <div className="flex flex-wrap gap-2 sm:shrink-0 print:hidden">{actions}</div>}
      </header>
      <div className="grid grid-cols-1 gap-5">{children}</div>
    </div>
  );
}

/** A titled block of a page. */
export function Card({
  title,
  intro,
  actions,
  flush = false,
  children,
}: {
  title?: ReactNode;
  intro?: ReactNode;
  actions?: ReactNode;
  /** For a table or list that reaches the edges. */
  flush?: boolean;
  children: ReactNode;
}) {
  return (
    <section className="min-w-0 overflow-clip rounded-xl border border-line bg-surface shadow-card">
      {(title || actions) && (
        <div className="flex flex-wrap items-start justify-between gap-3 px-5 pt-4">
          <div>
            {title && <h2 className="font-semibold wrap-anywhere">{title}</h2>}
            {intro && <p className="mt-0.5 text-sm text-muted">{intro}</p>}
          </div>
          {actions && <div className="flex flex-wrap gap-2">{actions}</div>}
        </div>
      )}
      <div className={flush ? (title ? 'pt-3' : '') : 'px-5 pb-5 pt-4'}>{children}</div>
    </section>
  );
}

/** Shown in place of an empty list: what it is for, and what to do next. */
export function EmptyState({
  icon: Icon,
  title,
  heading: Title = 'h2',
  children,
  action,
}: {
  icon: LucideIcon;
  title: string;
  /** `h1` if it is the whole page. */
  heading?: 'h1' | 'h2';
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <div className="grid justify-items-center gap-1 px-6 py-12 text-center">
      <span className="mb-2 grid size-12 place-items-center rounded-full bg-accent-soft text-accent">
        <Icon className="size-6" aria-hidden />
      </span>
      <Title className="font-semibold">{title}</Title>
      {children && <div className="max-w-md text-balance text-muted">{children}</div>}
      {action && <div className="mt-4 flex flex-wrap justify-center gap-2">{action}</div>}
    </div>
  );
}

/** Something a person should read before going on. */
export function Notice({
  tone = 'info',
  title,
  children,
  action,
}: {
  tone?: 'info' | 'warn' | 'bad' | 'good';
  title?: ReactNode;
  children?: ReactNode;
  action?: ReactNode;
}) {
  const tones = {
    info: 'bg-accent-soft text-ink',
    good: 'bg-good-soft text-ink',
    warn: 'bg-warn-soft text-ink',
    bad: 'bg-bad-soft text-ink',
  };
  const Icon = tone === 'good' ? CircleCheck : CircleAlert;
  const icons = { info: 'text-accent', good: 'text-good', warn: 'text-warn', bad: 'text-bad' };
  return (
    <div className={`flex flex-wrap items-start gap-3 rounded-xl px-4 py-3 ${tones[tone]}`}>
      <Icon
        className={`${action ? 'mt-1.5' : 'mt-0.5'} size-5 shrink-0 ${icons[tone]}`}
        aria-hidden
      />
      <div className={`min-w-0 grow basis-52 break-words ${action ? 'py-1' : ''}`}>
        {title && <p className="font-semibold">{title}</p>}
        {children && <div>{children}</div>}
      </div>
      {action}
    </div>
  );
}

/** Grey lines where text will be. */
export function Skeleton({ lines = 3 }: { lines?: number }) {
  return (
    <div className="grid gap-3 py-1" aria-hidden>
      {Array.from({ length: lines }, (_, line) => (
        <div
          // biome-ignore lint/suspicious/noArrayIndexKey: the lines are all alike and never move
          key={line}
          className={`skeleton h-4 ${['w-full', 'w-11/12', 'w-4/5', 'w-2/3'][line % 4]}`}
        />
      ))}
    </div>
  );
}
