import { Fragment, type ReactElement, type RefObject } from 'react';
import type { VirtualRowsProps } from '../../../parts/page/virtual-rows.tsx';
import { earlyPart } from './loading/early-part.tsx';

/** Up to this many rows are all in the page, where a browser finds and prints them. */
const maxPlainRows = 100;
/** The rows of a longer list until the code for it is loaded: about a screen. */
const firstRows = 20;

const VirtualRows = earlyPart(() => import('../../../parts/page/virtual-rows.tsx'), 'VirtualRows');

/** A list that can become long. The page then contains only the visible rows. */
export function LongList<Item>({
  items,
  keyOf,
  isOpen = () => false,
  scroller,
  rowClass = '',
  className = '',
  children: row,
}: {
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
  /** Whether a row stays in the page when it is scrolled out of sight. */
  isOpen?: (item: Item) => boolean;
  /** The element that scrolls; without it, the page does. */
  scroller?: RefObject<HTMLElement | null>;
  rowClass?: string;
  className?: string;
  children: (item: Item) => ReactElement;
}) {
  const plainRow = (item: Item) => (
    <li key={keyOf(item)} className={rowClass}>
      {row(item)}
    </li>
  );
  if (items.length <= maxPlainRows) return <ul className={className}>{items.map(plainRow)}</ul>;
  const virtual = {
    items,
    scroller,
    rowClass,
    kept: indexesOf(items, isOpen),
    row: (item: Item) => <Fragment key={keyOf(item)}>{row(item)}</Fragment>,
  } satisfies VirtualRowsProps<Item>;
  return (
    <div className={className}>
      <VirtualRows
        {...(virtual as VirtualRowsProps<unknown>)}
        fallback={<ul>{items.slice(0, firstRows).map(plainRow)}</ul>}
      />
    </div>
  );
}

/** Without a list for each item: there can be a hundred thousand. */
function indexesOf<Item>(items: readonly Item[], matches: (item: Item) => boolean): number[] {
  const indexes: number[] = [];
  for (const [index, item] of items.entries()) if (matches(item)) indexes.push(index);
  return indexes;
}
