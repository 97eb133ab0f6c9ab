import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';
import { OutsideLink } from './outside-link.tsx';

const look =
  '-mx-1 mb-1 flex min-w-[min(15rem,60vw)] items-center gap-3 rounded-xl bg-sunken p-2 text-left text-sm';
const linkLook = `${look} hover:brightness-95`;

/**
 * A small card in a message, such as a file or a place: a sign, and words beside it.
 *
 * @property href the website to open, or the path of a file of this application to download
 * @property download the name of the downloaded file
 */
export function Attachment({
  icon: Icon,
  href,
  download,
  children,
}: {
  icon: LucideIcon;
  href?: string;
  download?: string;
  children: ReactNode;
}) {
  const content = (
    <>
      <span className="grid size-10 shrink-0 place-items-center rounded-lg bg-accent-soft text-accent">
        <Icon className="size-5" aria-hidden />
      </span>
      <span className="grid min-w-0 grow">{children}</span>
    </>
  );
  if (href === undefined) return <div className={look}>{content}</div>;
  if (/^https?:/i.test(href)) {
    return (
      <OutsideLink href={href} className={linkLook}>
        {content}
      </OutsideLink>
    );
  }
  return (
    // As a download, a file that is gone fails without leaving the page.
    <a href={href} download={download} className={linkLook}>
      {content}
    </a>
  );
}

/** The first line of the words, in bold. */
export function AttachmentTitle({ children }: { children: ReactNode }) {
  return (
    <strong dir="auto" className="font-semibold wrap-anywhere">
      {children}
    </strong>
  );
}
