import { useBlocker } from '@tanstack/react-router';
import { haveUnsaved } from '../form/unsaved-forms.ts';
import { isOverlaid } from './commands/shortcut-keys.ts';

/** Closes the dialog, question, menu or drawer in front by the browser's Back, which means "close this" on a phone. */
export function CloseByBack() {
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK' || !isOverlaid()) return false;
      // A form whose changes would be lost asks itself.
      if (haveUnsaved()) return false;
      const key = { key: 'Escape', bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key));
      return true;
    },
    enableBeforeUnload: false,
  });
  return null;
}
