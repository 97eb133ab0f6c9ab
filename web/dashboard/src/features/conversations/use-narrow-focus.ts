import { type RefObject, useEffect, useRef } from 'react';

/** Whether what had the focus is no longer in sight, so that the next key would begin at the top of the page. */
function isFocusLost(): boolean {
  const { activeElement: active } = document;
  // A button that disappears gives its focus to the content around it.
  return !active?.closest('body *:not(#content)') || !active.checkVisibility();
}

/**
 * On a narrow screen, where a conversation takes the place of the list, moves the focus to its heading.
 *
 * @param back the link to the list, which only a narrow screen shows
 */
export function useFocusOnHeading(
  heading: RefObject<HTMLElement | null>,
  back: RefObject<HTMLElement | null>,
): void {
  useEffect(() => {
    if (back.current?.checkVisibility() && isFocusLost()) heading.current?.focus();
  }, [heading, back]);
}

/** Moves the focus back to the entry of the conversation that was open. */
export function useFocusOnEntry(
  phone: string | undefined,
  list: RefObject<HTMLElement | null>,
): void {
  const before = useRef(phone);
  useEffect(() => {
    const last = before.current;
    before.current = phone;
    if (phone || !last || !isFocusLost()) return;
    list.current?.querySelector<HTMLElement>(`a[data-phone="${CSS.escape(last)}"]`)?.focus();
  }, [phone, list]);
}
