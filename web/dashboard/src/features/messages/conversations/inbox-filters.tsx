import { useRoomFor } from '../../../../../parts/behaviour/use-room-for.ts';
import { FilterChoice } from '../../../../../parts/fields/filter-choice.tsx';
import { Picker } from '../../../../../parts/fields/picker.tsx';
import { conversations as t } from '../../../../../texts/conversations.ts';
import { useTenant } from '../../../session.ts';
import { useLabels } from '../../labels/use-labels.ts';
import { nameOf, useNumbers } from '../../numbers/use-numbers.ts';
import type { ConversationSearch } from './search.ts';

const views = [undefined, 'unread', 'unassigned', 'mine'] as const;
const labelNames = ['status', 'source', 'group'] as const;
const sizeOfChoice = 'w-0 min-w-28 grow text-sm';

/** Chooses a view of the list and, if the tenant has them, one of several numbers and a label. */
export function InboxFilters({
  search,
  onChange,
}: {
  search: ConversationSearch;
  onChange: (search: ConversationSearch) => void;
}) {
  const { slug } = useTenant();
  const found = useNumbers(60_000);
  const kinds = {
    status: useLabels('statuses'),
    source: useLabels('sources'),
    group: useLabels('groups'),
  };
  const isLoading = [found, ...Object.values(kinds)].some(({ isPending }) => isPending);
  const numbers = found.data?.numbers ?? [];
  const hasNumbers = numbers.length > 1 || search.number !== undefined;
  const label = labelNames.find((name) => search[name] !== undefined);
  const labels = labelNames.flatMap((name) =>
    (kinds[name].data ?? []).map((each) => ({
      value: `${name} ${each.id}`,
      words: each.name,
      group: t(`labelKinds.${name}`),
    })),
  );
  const hasLabels = labels.length > 0 || label !== undefined;
  const hasRow = useRoomFor(
    `parley-inbox-filters ${slug}`,
    isLoading ? undefined : hasNumbers || hasLabels,
  );
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
      {hasRow && isLoading && <div className="h-9 w-full" />}
      {!isLoading && hasNumbers && (
        <FilterChoice
          label={t('number')}
          any={t('anyNumber')}
          value={search.number}
          choices={numbers.map((each) => ({ value: each.id, words: nameOf(each) }))}
          onChoose={(number) => onChange({ ...search, number })}
          className={sizeOfChoice}
        />
      )}
      {!isLoading && hasLabels && (
        // One picker for all kinds of labels, because the list is filtered by one.
        <Picker
          label={t('label')}
          aria-label={t('label')}
          value={label && `${label} ${search[label]}`}
          choices={[{ value: undefined, words: t('anyLabel') }, ...labels]}
          onChoose={(chosen) => {
            const [name, id] = chosen?.split(' ') ?? [];
            const idIf = (each: string) => (each === name ? Number(id) : undefined);
            onChange({
              ...search,
              status: idIf('status'),
              source: idIf('source'),
              group: idIf('group'),
            });
          }}
          className={sizeOfChoice}
        />
      )}
    </div>
  );
}
