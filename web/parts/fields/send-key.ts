import type { KeyboardEvent } from 'react';

/** A touch keyboard has no Shift+Enter, so that Enter makes a new line there. */
function isTouchOnly(): boolean {
  return matchMedia('(pointer: coarse) and (hover: none)').matches;
}

/** Whether a key in the field of a message sends it. */
export function isSendKey({ key, shiftKey, nativeEvent }: KeyboardEvent): boolean {
  return key === 'Enter' && !shiftKey && !isComposing(nativeEvent) && !isTouchOnly();
}

/**
 * Whether a key belongs to an input method, such as that for Japanese. For the key that ends a composition, Safari says so
 * only by the key code 229.
 */
export function isComposing(event: globalThis.KeyboardEvent): boolean {
  return event.isComposing || event.keyCode === 229;
}

/** The label of a touch keyboard's Enter key in the field of a message. */
export function sendKeyHint(): 'enter' | 'send' {
  return isTouchOnly() ? 'enter' : 'send';
}
