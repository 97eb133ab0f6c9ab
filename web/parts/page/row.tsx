import type { ComponentProps } from 'react';

/** The look of a row of a list or table, with a line below all but the last. */
export const rowLook = 'border-b border-line last:border-b-0';

/** A row of a list. */
export function Row({ className = '', ...rest }: ComponentProps<'li'>) {
  return <li className={`${rowLook} ${className}`} {...rest} />;
}
