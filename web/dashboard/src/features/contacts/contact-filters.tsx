import { Picker } from '../../../../parts/fields/picker.tsx';
import { SearchField } from '../../../../parts/fields/search-field.tsx';
import { contacts as t } from '../../../../texts/contacts.ts';
import { type LabelKind, useLabels } from '../labels/use-labels.ts';
import type { ContactSearch } from './search.ts';

/** The search field, and a choice for each kind of label. */
export function ContactFilters({
  search,
  onChange,
}: {
  search: ContactSearch;
  onChange: (search: ContactSearch, replace?: boolean) => void;
}) {
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
      <div className="min-w-56 grow basis-full sm:basis-auto">
        <SearchField
          label={t('searchLabel')}
          placeholder={t('searchPlaceholder')}
          value={search.q ?? ''}
          onSearch={(q) => onChange({ ...search, q: q || undefined, page: undefined }, true)}
        />
      </div>
      {filter('status', 'statuses', t('filterStatus'))}
      {filter('source', 'sources', t('filterSource'))}
      {filter('group', 'groups', t('filterGroup'))}
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
    <Picker
      label={label}
      aria-label={label}
      value={value}
      choices={[
        { value: undefined, words: t(`any.${kind}`) },
        { value: 0, words: t(`without.${kind}`) },
        ...data.map(({ id, name }) => ({ value: id, words: name })),
      ]}
      onChoose={onChange}
      className="w-0 min-w-36 grow sm:w-36 sm:grow-0"
    />
  );
}
