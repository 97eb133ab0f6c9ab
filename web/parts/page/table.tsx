import { ArrowDown, ArrowUp } from 'lucide-react';
import type { ReactNode } from 'react';
import { rowLook } from './row.tsx';

export type Column<Item> = {
  key: string;
  title: ReactNode;
  /** The classes of all of its cells: width, from which screen on it is shown, color. */
  look?: string;
  /** Its title sorts the table. */
  sort?: Sort;
  /** It names the row. */
  isRowHeader?: boolean;
  cell: (item: Item) => ReactNode;
};

/** How the table is sorted by a column, if it is, and what a press of the title does. */
export type Sort = { direction: 'ascending' | 'descending' | undefined; onSort: () => void };

/** How rows are ticked. */
export type Ticks<Item> = {
  ticked: ReadonlySet<number>;
  onTick: (ticked: ReadonlySet<number>) => void;
  idOf: (item: Item) => number;
  labelAll: string;
  labelOf: (item: Item) => string;
};

type Props<Item> = {
  /** For screen readers. */
  caption: string;
  columns: readonly Column<Item>[];
  items: readonly Item[];
  keyOf: (item: Item) => string | number;
  ticks?: Ticks<Item>;
  /** The row that stands out, such as the own plan. */
  isCurrent?: (item: Item) => boolean;
  /** Columns are as wide as they say, and the others share the rest. Otherwise, as wide as their texts. */
  isFixed?: boolean;
};

/** A table. Its header stays in sight while the page scrolls. */
export function Table<Item>({
  caption,
  columns,
  items,
  keyOf,
  ticks,
  isCurrent = () => false,
  isFixed = false,
}: Props<Item>) {
  return (
    <table className={`w-full text-start ${isFixed ? 'table-fixed' : ''}`}>
      <caption className="sr-only">{caption}</caption>
      <thead className="text-sm text-muted">
        <tr>
          {ticks && <TickAll ticks={ticks} items={items} />}
          {columns.map(({ key, title, sort, look = '' }) => (
            <th
              key={key}
              scope="col"
              aria-sort={sort && (sort.direction ?? 'none')}
              className={`${headLook} px-3 py-2 text-start font-medium first:ps-5 last:pe-5 ${look}`}
            >
              {sort ? <SortButton title={title} sort={sort} /> : title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {items.map((item) => (
          <tr
            key={keyOf(item)}
            aria-current={isCurrent(item) ? 'true' : undefined}
            className={`${rowLook} hover:bg-sunken/60 ${isCurrent(item) ? 'font-semibold' : ''}`}
          >
            {ticks && <Tick ticks={ticks} item={item} />}
            {columns.map((column) => (
              <Cell key={column.key} column={column} item={item} />
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function SortButton({ title, sort: { direction, onSort } }: { title: ReactNode; sort: Sort }) {
  const Icon = direction === 'descending' ? ArrowDown : ArrowUp;
  return (
    <button type="button" onClick={onSort} className="group flex items-center gap-1 hover:text-ink">
      {title}
      <Icon
        className={`size-3.5 ${direction ? '' : 'opacity-0 group-hover:opacity-50 group-focus-visible:opacity-50'}`}
        aria-hidden
      />
    </button>
  );
}

/** Below the bar of narrow screens. A border would stay behind when the cell sticks. */
const headLook =
  'sticky top-14 z-10 bg-surface shadow-[inset_0_-1px_0_var(--line)] lg:top-0 print:static';

function Cell<Item>({ column, item }: { column: Column<Item>; item: Item }) {
  const { look = '', isRowHeader, cell } = column;
  const className = `px-3 py-2.5 text-start align-top first:ps-5 last:pe-5 ${look}`;
  return isRowHeader ? (
    <th scope="row" className={`[font-weight:inherit] ${className}`}>
      {cell(item)}
    </th>
  ) : (
    <td className={className}>{cell(item)}</td>
  );
}

function TickAll<Item>({ ticks, items }: { ticks: Ticks<Item>; items: readonly Item[] }) {
  const { ticked, onTick, idOf, labelAll } = ticks;
  const ids = items.map(idOf);
  return (
    <th scope="col" className={`${headLook} w-11 py-2 ps-5 text-start`}>
      <input
        type="checkbox"
        aria-label={labelAll}
        checked={ids.every((id) => ticked.has(id))}
        onChange={({ target }) => onTick(new Set(target.checked ? ids : []))}
        className="size-4 accent-accent"
      />
    </th>
  );
}

function Tick<Item>({ ticks, item }: { ticks: Ticks<Item>; item: Item }) {
  const { ticked, onTick, idOf, labelOf } = ticks;
  const id = idOf(item);
  return (
    <td className="py-2.5 ps-5 align-top">
      <input
        type="checkbox"
        aria-label={labelOf(item)}
        checked={ticked.has(id)}
        onChange={({ target }) => {
          const others = [...ticked].filter((each) => each !== id);
          onTick(new Set(target.checked ? [...others, id] : others));
        }}
        className="mt-1 size-4 accent-accent"
      />
    </td>
  );
}
