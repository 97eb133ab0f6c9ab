import { useEffect, useEffectEvent } from 'react';

/** A handler returns false if there is nothing to do, so that the key keeps its usual meaning. */
type Handler = () => unknown;

const handlers = new Map<string, Handler>();
let awaited: string | undefined;

/** Does a command of `commands.ts` while the page is open. */
export function usePageCommand(id: string, run: Handler): void {
  const runLatest = useEffectEvent(run);
  useEffect(() => {
    handlers.set(id, () => runLatest());
    if (awaited === id) {
      awaited = undefined;
      runLatest();
    }
    return () => {
      handlers.delete(id);
    };
  }, [id]);
}

/** @returns whether the open page does the command */
export function runOnPage(id: string): boolean {
  const run = handlers.get(id);
  return run !== undefined && run() !== false;
}

/** Lets the page that is opened next do the command, if it can. */
export function runOnNextPage(id: string): void {
  awaited = id;
}

/** The next page does nothing: the way to it was stopped. */
export function forgetNextPage(): void {
  awaited = undefined;
}
