/** Whether the page is read from right to left. Radix does not look. */
export const isRightToLeft = (): boolean =>
  getComputedStyle(document.documentElement).direction === 'rtl';
