import { type RefObject, useEffect, useRef } from 'react';
import { isFocusLost } from './is-focus-lost.ts';

/**
 * On a narrow screen, where an opened conversation or phone takes the place of the list, moves the focus to its
 * heading.
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

/** Moves the focus back to the entry of the conversation or phone that was open. */
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
