import { createContext, type ReactElement, type RefObject, useContext } from 'react';
import { type CustomItemComponentProps, Virtualizer, WindowVirtualizer } from 'virtua';

export type VirtualRowsProps<Item> = {
  items: readonly Item[];
  /** The element that scrolls; without it, the page does. */
  scroller?: RefObject<HTMLElement | null> | undefined;
  /** The indexes of rows that stay in the page when they are scrolled out of sight, such as the open one. */
  kept: number[];
  rowClass: string;
  row: (item: Item) => ReactElement;
};

/** The number of rows and their classes. */
const ListContext = createContext({ count: 0, rowClass: '' });

/** The rows of a long list, of which only those in sight are in the page. */
export function VirtualRows<Item>({
  items,
  scroller,
  kept,
  rowClass,
  row,
}: VirtualRowsProps<Item>) {
  const common = {
    data: items,
    as: 'ul',
    item: VirtualRow,
    keepMounted: kept,
    children: (item: Item) => row(item),
  } as const;
  return (
    <ListContext value={{ count: items.length, rowClass }}>
      {scroller ? (
        <Virtualizer {...common} scrollRef={scroller} />
      ) : (
        <WindowVirtualizer {...common} />
      )}
    </ListContext>
  );
}

/** Screen readers count all rows, not only those in the page. */
function VirtualRow({ style, index, children, ref }: CustomItemComponentProps) {
  const { count, rowClass } = useContext(ListContext);
  return (
    <li ref={ref} style={style} aria-setsize={count} aria-posinset={index + 1} className={rowClass}>
      {children}
    </li>
  );
}
