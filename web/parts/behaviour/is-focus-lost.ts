/** Whether what had the focus is no longer in sight, so that the next key would begin at the top of the page. */
export function isFocusLost(): boolean {
  const { activeElement: active } = document;
  // A button that disappears gives its focus to the content around it.
  return !active?.closest('body *:not(#content)') || !active.checkVisibility();
}
