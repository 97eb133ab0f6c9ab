import { Search } from 'lucide-react';
import { useEffect, useState } from 'react';
import { controlLook, inputLook } from '../../parts/field.tsx';
import { contacts as texts } from '../../texts/contacts.ts';
import { type LabelKind, useLabels } from '../labels/use-labels.ts';
import type { ContactSearch } from './search.ts';

const pauseMs = 250;

/** Search as one types, and one choice for each kind of label. */
export function ContactFilters({
  search,
  onChange,
}: {
  search: ContactSearch;
  onChange: (search: ContactSearch, replace?: boolean) => void;
}) {
  const [text, setText] = useState(search.q ?? '');
  const wanted = text.trim();

  // biome-ignore lint/correctness/useExhaustiveDependencies: only typing starts the pause
  useEffect(() => {
    if (wanted === (search.q ?? '')) return;
    const timer = setTimeout(
      () => onChange({ ...search, q: wanted || undefined, page: undefined }, true),
      pauseMs,
    );
    return () => clearTimeout(timer);
  }, [wanted]);

  const filter = (name: 'status' | 'source' | 'group', kind: LabelKind, label: string) => (
    <LabelFilter
      kind={kind}
      label={label}
      value={search[name]}
      onChange={(value) => onChange({ ...search, [name]: value, page: undefined })}
    />
  );
  return (
    <search className="flex flex-wrap gap-2">
      <div className="relative min-w-56 grow basis-full sm:basis-auto">
        <Search
          className="pointer-events-none absolute left-3 top-2.5 size-4 text-muted"
          aria-hidden
        />
        <input
          type="search"
          aria-label={texts.searchLabel}
          placeholder={texts.searchPlaceholder}
          value={text}
          maxLength={255}
          onChange={(event) => setText(event.target.value)}
          className={`${inputLook} h-9 pl-9`}
        />
      </div>
      {filter('status', 'statuses', texts.filterStatus)}
      {filter('source', 'sources', texts.filterSource)}
      {filter('group', 'groups', texts.filterGroup)}
    </search>
  );
}

function LabelFilter({
  kind,
  label,
  value,
  onChange,
}: {
  kind: LabelKind;
  label: string;
  value: number | undefined;
  onChange: (value: number | undefined) => void;
}) {
  const { data = [] } = useLabels(kind);
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={(event) =>
        onChange(event.target.value === '' ? undefined : Number(event.target.value))
      }
      className={`${controlLook} h-9 w-0 min-w-36 grow sm:w-auto sm:max-w-44 sm:grow-0`}
    >
      <option value="">{texts.any(label)}</option>
      <option value="0">{texts.without(label)}</option>
      {data.map((each) => (
        <option key={each.id} value={each.id}>
          {each.name}
        </option>
      ))}
    </select>
  );
}
