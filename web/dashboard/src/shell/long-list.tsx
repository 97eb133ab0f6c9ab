import { Fragment, type ReactElement, type RefObject, Suspense } from 'react';
import type { VirtualRowsProps } from '../../../parts/virtual-rows.tsx';
import { lazyPart } from './lazy-part.ts';

/** Up to this many rows are all in the page, where a browser finds and prints them. */
const maxPlainRows = 100;

const VirtualRows = lazyPart(() => import('../../../parts/virtual-rows.tsx'), 'VirtualRows');

/** A list that can become long. Of a long one, only the rows in sight are in the page. */
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
  /** Whether a row stays in the page wherever it is scrolled. */
  isOpen?: (item: Item) => boolean;
  /** The element that scrolls; without it, the page does. */
  scroller?: RefObject<HTMLElement | null>;
  rowClass?: string;
  className?: string;
  children: (item: Item) => ReactElement;
}) {
  const plain = (shown: readonly Item[]) => (
    <ul className={className}>
      {shown.map((item) => (
        <li key={keyOf(item)} className={rowClass}>
          {row(item)}
        </li>
      ))}
    </ul>
  );
  if (items.length <= maxPlainRows) return plain(items);
  const virtual = {
    items,
    scroller,
    rowClass,
    kept: items.flatMap((item, index) => (isOpen(item) ? index : [])),
    row: (item: Item) => <Fragment key={keyOf(item)}>{row(item)}</Fragment>,
  } satisfies VirtualRowsProps<Item>;
  return (
    <Suspense fallback={plain(items.slice(0, maxPlainRows))}>
      <div className={className}>
        <VirtualRows {...(virtual as VirtualRowsProps<unknown>)} />
      </div>
    </Suspense>
  );
}
