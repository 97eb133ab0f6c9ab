import { ExternalLink, X } from 'lucide-react';
import { Dialog } from 'radix-ui';
import { type MouseEvent, type ReactNode, useRef, useState } from 'react';
import { common } from '../../texts/common.ts';
import { message as t } from '../../texts/message.ts';

const round =
  'grid size-10 place-items-center rounded-full bg-black/50 text-white hover:bg-black/70';

/** An image that a click shows as large as the window. With a modifier key it opens in a new tab. */
export function EnlargedImage({
  url,
  label,
  className,
  children,
}: {
  url: string;
  label: string;
  className: string;
  children: ReactNode;
}) {
  const [isOpen, setIsOpen] = useState(false);
  const link = useRef<HTMLAnchorElement>(null);
  function open(event: MouseEvent) {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    setIsOpen(true);
  }
  return (
    <Dialog.Root open={isOpen} onOpenChange={setIsOpen}>
      <a
        ref={link}
        href={url}
        target="_blank"
        rel="noreferrer"
        aria-label={t('enlarge', { label })}
        onClick={open}
        className={`block ${className}`}
      >
        {children}
      </a>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-50 bg-black/80" />
        <Dialog.Content
          aria-describedby={undefined}
          className="rise fixed inset-0 z-50 grid place-items-center p-4"
          onClick={() => setIsOpen(false)}
          // Radix does this only for a trigger of its own.
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            link.current?.focus();
          }}
        >
          <Dialog.Title className="sr-only">{label}</Dialog.Title>
          <img src={url} alt={label} className="max-h-full max-w-full rounded-lg object-contain" />
          <div className="absolute right-4 top-4 flex gap-2">
            <a
              href={url}
              target="_blank"
              rel="noreferrer"
              aria-label={t('openInTab')}
              title={t('openInTab')}
              className={round}
            >
              <ExternalLink className="size-5" aria-hidden />
            </a>
            <Dialog.Close aria-label={common('close')} title={common('close')} className={round}>
              <X className="size-5" aria-hidden />
            </Dialog.Close>
          </div>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
