/** `sessionStorage` is of one tab, until it is closed. */
type Place = 'localStorage' | 'sessionStorage';

/** What the browser keeps under a key; null also where it keeps nothing at all. */
export function kept(place: Place, key: string): string | null {
  try {
    return globalThis[place].getItem(key);
  } catch {
    // Switched off.
    return null;
  }
}

/**
 * Keeps a text, or forgets it where that is null.
 *
 * @returns whether it could be kept: storage may be switched off or full
 */
export function keep(place: Place, key: string, text: string | null): boolean {
  try {
    if (text === null) globalThis[place].removeItem(key);
    else globalThis[place].setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

/** Forgets all that is kept of this tab. */
export function forgetTab(): void {
  try {
    sessionStorage.clear();
  } catch {
    // Switched off: nothing was kept.
  }
}
