import { controlLook } from '../../../../../parts/field.tsx';
import { Picker } from '../../../../../parts/picker.tsx';
import { conversations as t } from '../../../../../texts/conversations.ts';
import { useLabels } from '../../labels/use-labels.ts';
import { useNumbers } from '../../numbers/use-numbers.ts';
import type { ConversationSearch } from './search.ts';

const views = [undefined, 'unread', 'unassigned', 'mine'] as const;
const labelNames = ['status', 'source', 'group'] as const;
const sizeOfSelect = 'w-0 min-w-28 grow text-sm';

/** Chooses a view of the list and, if the tenant has them, one of several numbers and a label. */
export function InboxFilters({
  search,
  onChange,
}: {
  search: ConversationSearch;
  onChange: (search: ConversationSearch) => void;
}) {
  const { data } = useNumbers(60_000);
  const numbers = data?.numbers ?? [];
  const label = labelNames.find((name) => search[name] !== undefined);
  return (
    <div className="flex flex-wrap gap-2 px-4 pb-2 print:hidden">
      <fieldset className="flex w-full flex-wrap gap-1 rounded-lg bg-sunken p-1">
        <legend className="sr-only">{t('views')}</legend>
        {views.map((view) => (
          <button
            key={view ?? 'all'}
            type="button"
            aria-pressed={search.view === view}
            onClick={() => onChange({ ...search, view })}
            className="grow rounded-md px-2 py-1 text-sm text-muted hover:text-ink aria-pressed:bg-accent-soft aria-pressed:font-medium aria-pressed:text-accent-strong forced-colors:aria-pressed:underline"
          >
            {t(`viewNames.${view ?? 'all'}`)}
          </button>
        ))}
      </fieldset>
      {(numbers.length > 1 || search.number !== undefined) && (
        <select
          aria-label={t('number')}
          value={search.number ?? ''}
          onChange={({ target }) =>
            onChange({ ...search, number: target.value ? Number(target.value) : undefined })
          }
          className={`${controlLook} h-9 ${sizeOfSelect}`}
        >
          <option value="">{t('anyNumber')}</option>
          {numbers.map((each) => (
            <option key={each.id} value={each.id}>
              {each.display_phone_number ?? each.phone_number_id}
            </option>
          ))}
        </select>
      )}
      <LabelFilter
        value={label && `${label} ${search[label]}`}
        onChange={(chosen) => {
          const [name, id] = chosen?.split(' ') ?? [];
          const idIf = (each: string) => (each === name ? Number(id) : undefined);
          const labels = { status: idIf('status'), source: idIf('source'), group: idIf('group') };
          onChange({ ...search, ...labels });
        }}
      />
    </div>
  );
}

/** One picker for all kinds of labels, because the list is filtered by one. */
function LabelFilter({
  value,
  onChange,
}: {
  /** Such as `status 7`. */
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  const labels = {
    status: useLabels('statuses').data ?? [],
    source: useLabels('sources').data ?? [],
    group: useLabels('groups').data ?? [],
  };
  const kinds = labelNames.filter((name) => labels[name].length > 0);
  if (kinds.length === 0 && !value) return null;
  return (
    <Picker
      label={t('label')}
      aria-label={t('label')}
      value={value}
      choices={[
        { value: undefined, words: t('anyLabel') },
        ...kinds.flatMap((kind) =>
          labels[kind].map(({ id, name }) => ({
            value: `${kind} ${id}`,
            words: name,
            group: t(`labelKinds.${kind}`),
          })),
        ),
      ]}
      onChoose={onChange}
      className={sizeOfSelect}
    />
  );
}
