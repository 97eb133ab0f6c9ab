import { isLosslessNumber } from 'lossless-json';
import { stores as t } from '../../../../texts/stores.ts';
import { readJson } from '../../api/json-text.ts';

const mostShown = 300;

/**
 * The fields of the buyer and the values of a payload with their paths. The one that is chosen becomes
 * the path of the template field that had the focus last.
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
  return (
    <details>
      <summary className="w-fit cursor-pointer text-sm font-medium">{t('payload')}</summary>
      <ul className="mt-2 max-h-64 overflow-auto rounded-lg border border-line bg-surface p-2 font-mono text-xs">
        {[...collect(buyer, 'buyer', []), ...leavesOf(payload)].map(([path, value]) => (
          <li key={path}>
            <button
              type="button"
              disabled={!onChoose}
              onClick={() => onChoose?.(path)}
              className="flex w-full gap-3 rounded px-1.5 py-0.5 text-left enabled:hover:bg-accent-soft"
            >
              <span className="max-w-3/4 shrink-0 break-all text-accent-strong">{path}</span>
              <span dir="auto" className="truncate text-muted">
                {value}
              </span>
            </button>
          </li>
        ))}
      </ul>
    </details>
  );
}

function leavesOf(payload: string): [path: string, value: string][] {
  try {
    return collect(readJson(payload), '', []).slice(0, mostShown);
  } catch {
    return [];
  }
}

function collect(value: unknown, path: string, into: [string, string][]): [string, string][] {
  if (value !== null && typeof value === 'object' && !isLosslessNumber(value)) {
    for (const [name, each] of Object.entries(value)) {
      collect(each, path === '' ? name : `${path}.${name}`, into);
    }
  } else if (value !== null && value !== '') {
    into.push([path, String(value)]);
  }
  return into;
}
