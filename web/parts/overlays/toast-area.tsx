import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { Toast as Radix } from 'radix-ui';
import { useSyncExternalStore } from 'react';
import { common } from '../../texts/common.ts';
import { isRightToLeft } from '../behaviour/is-right-to-left.ts';
import { Button, IconButton } from '../buttons/button.tsx';
import { currentToasts, dismiss, subscribeToToasts, type Toast } from './toasts.ts';

const doneMs = 5_000;
const problemMs = 10_000;

/** Radix repeats the text of a toast for screen readers. Here the toast itself is announced, once. */
const nowhere = document.createDocumentFragment();

/**
 * The toasts in a corner. They stay while the pointer or the focus is on one of them. F8 moves the focus to them,
 * and a swipe to the end of the line removes one.
 */
export function ToastArea() {
  const toasts = useSyncExternalStore(subscribeToToasts, currentToasts);
  return (
    <Radix.Provider
      label={common('notices')}
      swipeDirection={isRightToLeft() ? 'left' : 'right'}
      announcerContainer={nowhere}
    >
      {/* The Escape that removes a toast must not leave the page behind it as well. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: the toasts in it are focused, not itself */}
      <div onKeyDown={(event) => event.key === 'Escape' && event.preventDefault()}>
        {toasts.map((toast) => (
          <ToastItem key={toast.id} {...toast} />
        ))}
      </div>
      <Radix.Viewport
        label={common('noticesArea', { key: '{hotkey}' })}
        aria-live="polite"
        // Above a dialog, between its title and its X: in the corner it may cover the button that saves.
        className="pointer-events-none print:hidden fixed inset-x-3 top-16 z-[60] grid justify-items-end gap-2 outline-none sm:bottom-3 sm:start-auto sm:top-auto sm:w-96 sm:in-[body:has([role=dialog])]:inset-x-0 sm:in-[body:has([role=dialog])]:bottom-auto sm:in-[body:has([role=dialog])]:top-3 sm:in-[body:has([role=dialog])]:mx-auto"
      />
    </Radix.Provider>
  );
}

function ToastItem({ id, text, isBad, action }: Toast) {
  return (
    <Radix.Root
      duration={isBad || action ? problemMs : doneMs}
      onOpenChange={(isOpen) => !isOpen && dismiss(id)}
      className="toast rise w-full rounded-xl border border-line bg-raised shadow-pop"
      // A modal dialog switches off what is beside it.
      style={{ pointerEvents: 'auto' }}
    >
      <div
        role={isBad ? 'alert' : undefined}
        className="flex items-start gap-2.5 py-2 ps-3.5 pe-1.5"
      >
        {isBad ? (
          <CircleAlert className="mt-1.5 size-5 shrink-0 text-bad" aria-hidden />
        ) : (
          <CircleCheck className="mt-1.5 size-5 shrink-0 text-good" aria-hidden />
        )}
        <p className="min-w-0 grow break-words py-1">{text}</p>
        {action && (
          <Radix.Action asChild altText={action.words}>
            <Button small onClick={action.run}>
              {action.words}
            </Button>
          </Radix.Action>
        )}
        <Radix.Close asChild>
          <IconButton label={common('dismiss')} className="size-8">
            <X className="size-4" aria-hidden />
          </IconButton>
        </Radix.Close>
      </div>
    </Radix.Root>
  );
}
