import { X } from 'lucide-react';
import { AlertDialog, Dialog as Radix } from 'radix-ui';
import { type ReactNode, useRef, useState } from 'react';
import { common } from '../../texts/common.ts';
import { Button, IconButton } from '../buttons/button.tsx';
import { dismissDone } from './toasts.ts';

const overlay = 'fixed inset-0 z-40 bg-black/40';
const panel =
  'rise fixed z-50 inset-x-3 bottom-3 sm:inset-x-auto sm:bottom-auto sm:left-1/2 sm:top-1/2 sm:-translate-x-1/2 sm:-translate-y-1/2 max-h-[90dvh] scroll-pb-32 has-[[data-faults]>*]:scroll-pb-60 overflow-y-auto rounded-2xl border border-line bg-raised shadow-pop';

/**
 * A form or a closer look in front of the page.
 *
 * @param onPressBeside a press beside it does not close it, but may ask whether to
 */
export function Dialog({
  title,
  description,
  open,
  onClose,
  onPressBeside,
  wide = false,
  children,
}: {
  title: ReactNode;
  description?: ReactNode;
  open: boolean;
  onClose: () => void;
  onPressBeside?: () => void;
  wide?: boolean;
  children: ReactNode;
}) {
  const focus = useFocus();
  return (
    <Radix.Root open={open} onOpenChange={(next) => !next && onClose()}>
      <Radix.Portal>
        <Radix.Overlay className={overlay} />
        <Radix.Content
          className={`${panel} sm:max-w-[calc(100vw-1.5rem)] ${wide ? 'sm:w-[46rem]' : 'sm:w-[30rem]'}`}
          {...(description ? {} : { 'aria-describedby': undefined })}
          // A press beside it, such as the second one of a double click, would lose typed text, or a secret
          // that is shown once.
          onInteractOutside={(event) => event.preventDefault()}
          onPointerDownOutside={onPressBeside}
          {...focus}
        >
          <div className="flex items-start justify-between gap-4 px-5 pt-4">
            <Radix.Title className="min-w-0 text-lg font-semibold">{title}</Radix.Title>
            <Radix.Close asChild>
              <IconButton label={common('close')} className="-mb-2 -me-2 -mt-1">
                <X className="size-5" aria-hidden />
              </IconButton>
            </Radix.Close>
          </div>
          {description && (
            <Radix.Description className="mt-0.5 px-5 text-muted">{description}</Radix.Description>
          )}
          <div className="px-5 pb-5 pt-3">{children}</div>
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

/**
 * The row of buttons that ends a dialog: in sight, also while a long form scrolls behind it, unless the window is
 * low. `scroll-pb` of the panel is at least its height, so that no focused field is behind it. It
 * reaches the edges of the box around it, whose padding must not be that of what scrolls.
 */
export function DialogActions({ children }: { children: ReactNode }) {
  return (
    <div className="sticky [@media(height<30rem)]:static bottom-0 z-10 -mx-5 -mb-5 mt-2 flex flex-wrap justify-end gap-2 rounded-b-2xl bg-raised px-5 pb-5 pt-3">
      {children}
    </div>
  );
}

/** Asks before something that cannot be undone, and closes when that is done. */
export function Confirm({
  title,
  description,
  action,
  cancel = common('cancel'),
  look = 'danger',
  open,
  onClose,
  onConfirm,
}: {
  title: string;
  description: ReactNode;
  action: string;
  cancel?: string;
  look?: 'danger' | 'primary';
  open: boolean;
  onClose: () => void;
  onConfirm: () => Promise<unknown>;
}) {
  const [busy, setBusy] = useState(false);
  const focus = useFocus();
  async function confirm() {
    setBusy(true);
    await onConfirm();
    setBusy(false);
    onClose();
  }
  return (
    <AlertDialog.Root open={open} onOpenChange={(next) => !next && !busy && onClose()}>
      <AlertDialog.Portal>
        <AlertDialog.Overlay className={overlay} />
        <AlertDialog.Content className={`${panel} sm:w-[27rem]`} {...focus}>
          <div className="p-5">
            <AlertDialog.Title className="text-lg font-semibold">{title}</AlertDialog.Title>
            <AlertDialog.Description asChild>
              <div className="mt-1.5 text-muted">{description}</div>
            </AlertDialog.Description>
            <DialogActions>
              <AlertDialog.Cancel asChild>
                <Button disabled={busy}>{cancel}</Button>
              </AlertDialog.Cancel>
              <Button look={look} busy={busy} onClick={confirm}>
                {action}
              </Button>
            </DialogActions>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** The element that had the focus before the first of several dialogs in a row. */
let lastOpener: Element | null = null;

const firstField = 'form :is(input:not([type=hidden], [type=file]), textarea, select):enabled';

/**
 * Gives the focus to the first field of a form, and back to the earlier element when the dialog closes. Radix does
 * this only for its own triggers.
 */
export function useFocus() {
  const opener = useRef<Element | null>(null);
  return {
    onOpenAutoFocus: (event: Event) => {
      const { activeElement, body } = document;
      // The body has the focus if the pressed button disappeared with the previous dialog.
      if (activeElement !== body) lastOpener = activeElement;
      opener.current = lastOpener;
      dismissDone();
      // Otherwise the close button has the focus, and a space that was meant for the first field closes the form.
      const field = (event.target as HTMLElement).querySelector<HTMLElement>(firstField);
      if (!field) return;
      event.preventDefault();
      field.focus();
    },
    onCloseAutoFocus: (event: Event) => {
      event.preventDefault();
      lastOpener = null;
      if (opener.current instanceof HTMLElement && opener.current.isConnected) {
        opener.current.focus();
      } else {
        // It no longer exists, such as the button of a deleted record.
        document.querySelector<HTMLElement>('#content')?.focus({ preventScroll: true });
      }
    },
  };
}
