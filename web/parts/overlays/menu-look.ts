/** A long list scrolls within it, and a long name is cut: a menu is never larger than the screen. */
export const menuPanel =
  'rise z-50 min-w-52 max-w-[min(24rem,var(--radix-dropdown-menu-content-available-width))] max-h-[min(24rem,var(--radix-dropdown-menu-content-available-height))] overflow-y-auto rounded-xl border border-line bg-raised p-1 shadow-pop';

export const menuItem =
  'flex h-9 w-full items-center gap-2.5 rounded-lg px-2.5 text-left outline-none data-[highlighted]:bg-sunken data-[disabled]:opacity-50';
