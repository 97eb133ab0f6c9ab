import type { ComponentProps } from 'react';

/** Whether an address leads to a website. Others, such as `javascript:`, must not become links. */
export function isWebAddress(address: string): boolean {
  return /^https?:\/\//i.test(address) && URL.canParse(address);
}

/** A link of a message, which opens in a new tab. Without a web address it is plain text. */
export function OutsideLink({ href = '', children, ...rest }: ComponentProps<'a'>) {
  const isSafe = isWebAddress(href);
  return (
    <a {...(isSafe && { href, target: '_blank', rel: 'noopener noreferrer' })} {...rest}>
      {children}
    </a>
  );
}
