import { keep, kept } from '../../../../parts/behaviour/browser-storage.ts';

const offKey = 'parley-shortcuts-off';

/** Whether single keys do something. Speech input and tremor press keys by accident, so they can be switched off. */
export function areSingleKeysOn(): boolean {
  return kept('localStorage', offKey) === null;
}

export function switchSingleKeys(on: boolean): void {
  keep('localStorage', offKey, on ? null : 'off');
}

const isApple = /Mac|iPhone|iPad/.test(navigator.platform);
const names: Record<string, string> = {
  $mod: isApple ? '⌘' : 'Ctrl',
  Escape: 'Esc',
  ArrowDown: '↓',
  ArrowUp: '↑',
};

/** The keys of a command as they are printed on a keyboard, one after the other. */
export function keyNames(keys: string): string[] {
  return keys.split(' ').map((press) =>
    press
      .split('+')
      .map((key) => names[key] ?? key.toUpperCase())
      .join(isApple ? '' : '+'),
  );
}

/** The keys as ARIA writes them, if they are pressed together. */
export function ariaKeys(keys: string): string | undefined {
  if (keys.includes(' ')) return undefined;
  return keys.replace('$mod', isApple ? 'Meta' : 'Control');
}

/** Whether the key is meant for what has the focus, or for an open dialog or menu. */
export function isForOthers(event: KeyboardEvent): boolean {
  if (event.isComposing) return true;
  const target = event.target instanceof Element ? event.target : null;
  const isField = target?.closest(
    'input:not([type=checkbox]), textarea, select, [role=combobox], [contenteditable]',
  );
  if (isField && !event.ctrlKey && !event.metaKey) return true;
  return isOverlaid();
}

/** Whether a dialog, a question or a menu is open. */
export function isOverlaid(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog], [role=menu]') !== null;
}
