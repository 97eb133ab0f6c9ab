/** `sessionStorage` belongs to one tab, and is deleted when that is closed. */
type Place = 'localStorage' | 'sessionStorage';

/** Returns the value that the browser stores under a key; null without one, or if storage is disabled. */
export function kept(place: Place, key: string): string | null {
  try {
    return globalThis[place].getItem(key);
  } catch {
    // Storage is disabled.
    return null;
  }
}

/**
 * Stores a text, or removes it if the text is null.
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
