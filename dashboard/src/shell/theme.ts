export type Theme = 'light' | 'dark' | 'system';

const key = 'parley-theme';

export function chosenTheme(): Theme {
  try {
    const chosen = localStorage.getItem(key);
    return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
  } catch {
    return 'system';
  }
}

/** Remembers the choice; `theme.js`, which draws it, listens. */
export function chooseTheme(theme: Theme): void {
  try {
    if (theme === 'system') localStorage.removeItem(key);
    else localStorage.setItem(key, theme);
  } catch {
    // Storage is switched off: the system's choice stays.
  }
  dispatchEvent(new Event('parley-theme'));
}
