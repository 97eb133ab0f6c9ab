import { useBlocker } from '@tanstack/react-router';

/** Closes the dialog or drawer in front by the browser's Back, which means "close this" on a phone. */
export function CloseByBack() {
  useBlocker({
    shouldBlockFn: ({ action }) => {
      if (action !== 'BACK' || !document.querySelector('[role=dialog]')) return false;
      // A form whose changes would be lost asks itself.
      if (!dispatchEvent(new Event('beforeunload', { cancelable: true }))) return false;
      const key = { key: 'Escape', bubbles: true, cancelable: true };
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', key));
      return true;
    },
    enableBeforeUnload: false,
  });
  return null;
}
