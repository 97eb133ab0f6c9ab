import type { ReactNode } from 'react';
import { phone as t } from '../../texts/phone.ts';
import { listAddress } from './address.ts';

/** Stands where a conversation will be. */
export function Nothing({
  title,
  isMissing = false,
  children,
}: {
  title: string;
  /** Whether the address names a phone that is not there. */
  isMissing?: boolean;
  children: ReactNode;
}) {
  return (
    <div className="m-auto grid max-w-md justify-items-center gap-2 p-6 text-center text-muted">
      <div
        aria-hidden
        className="mb-4 grid w-36 gap-2 rounded-3xl border-2 border-line bg-surface px-4 py-6"
      >
        <span className="h-5 w-3/4 rounded-xl rounded-bl-sm bg-accent-soft" />
        <span className="h-5 w-1/2 justify-self-end rounded-xl rounded-br-sm bg-accent" />
        <span className="h-5 w-3/4 rounded-xl rounded-bl-sm bg-accent-soft" />
      </div>
      <h2 className="text-xl font-semibold text-ink">{title}</h2>
      <p>{children}</p>
      {isMissing && (
        <a href={listAddress} className="text-accent underline underline-offset-2">
          {t('back')}
        </a>
      )}
    </div>
  );
}
