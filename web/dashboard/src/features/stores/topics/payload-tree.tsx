import { isLosslessNumber } from 'lossless-json';
import { useMemo, useState } from 'react';
import { SearchField } from '../../../../../parts/fields/search-field.tsx';
import { stores as t } from '../../../../../texts/stores.ts';
import { readJson } from '../../../api/json-text.ts';

const maxShown = 300;

/**
 * The fields of the buyer and the values of a payload with their paths, which can be searched. The path that is chosen
 * goes to the field that had the focus last.
 */
export function PayloadTree({
  buyer,
  payload,
  onChoose,
}: {
  buyer: Record<string, string>;
  payload: string;
  onChoose?: (path: string) => void;
}) {
  const [search, setSearch] = useState('');
  const places = useMemo(() => placesOf(buyer, payload), [buyer, payload]);
  const wanted = search.toLowerCase();
  const found = places.filter((place) => place.join(' ').toLowerCase().includes(wanted));
  return (
    <details>
      <summary className="w-fit cursor-pointer text-sm font-medium">{t('payload')}</summary>
      <div className="mt-2 grid grid-cols-1 gap-2">
        {places.length > 20 && (
          <SearchField
            label={t('searchPayload')}
            placeholder={t('searchPayload')}
            value={search}
            onSearch={setSearch}
          />
        )}
        <ul className="max-h-64 overflow-auto rounded-lg border border-line bg-surface p-2 font-mono text-xs">
          {found.slice(0, maxShown).map(([path, value]) => (
            <li key={path}>
              <button
                type="button"
                disabled={!onChoose}
                onClick={() => onChoose?.(path)}
                className="flex min-h-7 w-full items-center gap-3 rounded px-1.5 text-left enabled:hover:bg-accent-soft"
              >
                <span className="max-w-3/4 shrink-0 break-all text-accent-strong">{path}</span>
                <span dir="auto" className="truncate text-muted">
                  {value}
                </span>
              </button>
            </li>
          ))}
        </ul>
        <p className="text-sm text-muted empty:hidden" aria-live="polite">
          {found.length === 0 && t('noValues')}
          {found.length > maxShown && t('moreValues', { count: found.length - maxShown })}
        </p>
      </div>
    </details>
  );
}

type Place = [path: string, value: string];

/** Lists the paths that have a value, including those of every item of a list, and of its last item. */
function placesOf(buyer: Record<string, string>, payload: string): Place[] {
  const texts = new Map<string, Set<string>>();
  collect(buyer, pathsIn(noPath, 'buyer', 'buyer', 'buyer'), texts);
  try {
    collect(readJson(payload), noPath, texts);
  } catch {
    // A body that is not JSON has no places.
  }
  return [...texts].map(([path, values]) => [path, [...values].join(', ')]);
}

/** A path by position, that of every item, and that of the last items; undefined for other items than the last. */
type Paths = [exact: string, every: string, last: string | undefined];

const noPath: Paths = ['', '', ''];

function collect(value: unknown, paths: Paths, into: Map<string, Set<string>>): void {
  if (Array.isArray(value)) {
    value.forEach((each, index) => {
      const last = index === value.length - 1 ? 'last' : undefined;
      collect(each, pathsIn(paths, String(index), '*', last), into);
    });
  } else if (value !== null && typeof value === 'object' && !isLosslessNumber(value)) {
    for (const [name, each] of Object.entries(value)) {
      collect(each, pathsIn(paths, name, name, name), into);
    }
  } else if (value !== null && value !== '') {
    const [exact, every, last] = paths;
    for (const path of new Set([every, exact, last])) {
      if (path === undefined) continue;
      const values = into.get(path) ?? new Set();
      into.set(path, values.add(String(value)));
    }
  }
}

function pathsIn(
  [exact, every, last]: Paths,
  name: string,
  everyName: string,
  lastName: string | undefined,
): Paths {
  const within = (before: string, each: string) => (before === '' ? each : `${before}.${each}`);
  return [
    within(exact, name),
    within(every, everyName),
    last === undefined || lastName === undefined ? undefined : within(last, lastName),
  ];
}
