import { common } from '../../texts/common.ts';
import { Problem } from '../behaviour/problem.ts';

/** A button of a toast, such as Undo. */
export type ToastAction = { words: string; run: () => void };
export type Toast = { id: number; text: string; isBad: boolean; action?: ToastAction };

const maxToasts = 3;

let toasts: readonly Toast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

/** Says that something was done, with a button that takes it back if there is one. */
export function showDone(text: string, action?: ToastAction): void {
  show({ text, isBad: false, action });
}

/** Says why something was not done, with a button that leads there if there is one. */
export function showProblem(error: unknown, action?: ToastAction): void {
  const text = error instanceof Problem ? error.message : common('somethingWrong');
  show({ text, isBad: true, action });
}

function show(toast: Omit<Toast, 'id'>): void {
  change([...toasts.slice(1 - maxToasts), { ...toast, id: ++lastId }]);
}

/** Removes good news, for example when a dialog opens, which it would cover. */
export function dismissDone(): void {
  change(toasts.filter((toast) => toast.isBad));
}

export function dismiss(id: number): void {
  change(toasts.filter((toast) => toast.id !== id));
}

function change(next: readonly Toast[]): void {
  toasts = next;
  for (const listener of listeners) listener();
}

/** For `useSyncExternalStore`. */
export function subscribeToToasts(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

export const currentToasts = (): readonly Toast[] => toasts;
