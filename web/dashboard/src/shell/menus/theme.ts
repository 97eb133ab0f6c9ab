import { keep, kept } from '../../../../parts/behaviour/browser-storage.ts';

export type Theme = 'light' | 'dark' | 'system';

const key = 'parley-theme';

export function chosenTheme(): Theme {
  const chosen = kept('localStorage', key);
  return chosen === 'light' || chosen === 'dark' ? chosen : 'system';
}

/** Remembers the choice; `theme.js`, which draws it, listens. */
export function chooseTheme(theme: Theme): void {
  keep('localStorage', key, theme === 'system' ? null : theme);
  dispatchEvent(new Event('parley-theme'));
}
