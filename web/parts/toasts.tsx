import { CircleAlert, CircleCheck, X } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { common } from '../texts/common.ts';
import { IconButton } from './button.tsx';
import { Problem } from './problem.ts';

type Toast = { id: number; text: string; bad: boolean };

let toasts: Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Says in a corner that something was done. */
export function showDone(text: string): void {
  show(text, false);
}

/** Says in a corner why something was not done. */
export function showProblem(error: unknown): void {
  show(error instanceof Problem ? error.message : common.somethingWrong, true);
}

function show(text: string, bad: boolean): void {
  const toast = { id: ++lastId, text, bad };
  change([...toasts.slice(-2), toast]);
  setTimeout(() => dismiss(toast.id), bad ? 10_000 : 5_000);
}

/** Takes away what was only good news, such as when a dialog opens, which it would cover. */
export function dismissDone(): void {
  change(toasts.filter((toast) => toast.bad));
}

function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

function change(next: Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void) {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export function Toasts() {
  const shown = useSyncExternalStore(subscribe, () => toasts);
  return (
    <section
      aria-label={common.notices}
      aria-live="polite"
      // Above a dialog, between its title and its X: in the corner it may cover the button that saves.
      className="pointer-events-none print:hidden fixed inset-x-3 top-16 z-[60] grid justify-items-end gap-2 sm:bottom-3 sm:left-auto sm:top-auto sm:w-96 sm:in-[body:has([role=dialog])]:inset-x-0 sm:in-[body:has([role=dialog])]:bottom-auto sm:in-[body:has([role=dialog])]:top-3 sm:in-[body:has([role=dialog])]:mx-auto"
    >
      {shown.map((toast) => (
        <div
          key={toast.id}
          role={toast.bad ? 'alert' : undefined}
          className="rise pointer-events-auto flex w-full items-start gap-2.5 rounded-xl border border-line bg-raised py-2 pl-3.5 pr-1.5 shadow-pop"
        >
          {toast.bad ? (
            <CircleAlert className="mt-1.5 size-5 shrink-0 text-bad" aria-hidden />
          ) : (
            <CircleCheck className="mt-1.5 size-5 shrink-0 text-good" aria-hidden />
          )}
          <p className="min-w-0 grow break-words py-1">{toast.text}</p>
          <IconButton label={common.dismiss} className="size-8" onClick={() => dismiss(toast.id)}>
            <X className="size-4" aria-hidden />
          </IconButton>
        </div>
      ))}
    </section>
  );
}
