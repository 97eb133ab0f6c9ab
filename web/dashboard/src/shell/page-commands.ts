import { useEffect, useEffectEvent } from 'react';

const handlers = new Map<string, () => void>();
let awaited: string | undefined;

/** Does a command of `commands.ts` while the page is open. */
export function usePageCommand(id: string, run: () => void): void {
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
  run?.();
  return run !== undefined;
}

/** Lets the page that is opened next do the command, if it can. */
export function runOnNextPage(id: string): void {
  awaited = id;
}
