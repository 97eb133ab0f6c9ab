import { ClockField } from '../../../../../parts/fields/clock-field.tsx';
import { FilterChoice } from '../../../../../parts/fields/filter-choice.tsx';
import { SearchField } from '../../../../../parts/fields/search-field.tsx';
import { webhook as t } from '../../../../../texts/webhook.ts';
import { type DeliverySearch, states } from '../search.ts';

/** Narrows the deliveries. */
export function DeliveryFilter({
  search,
  eventTypes,
  onChange,
}: {
  search: DeliverySearch;
  eventTypes: string[];
  onChange: (part: DeliverySearch) => void;
}) {
  return (
    <search className="flex flex-wrap gap-2 border-b border-line px-5 pb-3">
      <FilterChoice
        label={t('event')}
        any={t('anyEvent')}
        value={search.event}
        choices={[...eventTypes, 'webhook.test'].map((value) => ({ value, words: value }))}
        onChoose={(event) => onChange({ event })}
      />
      <FilterChoice
        label={t('state')}
        any={t('anyState')}
        value={search.state}
        choices={states.map((value) => ({ value, words: t(`states.${value}`) }))}
        onChoose={(state) => onChange({ state })}
      />
      <ClockField
        label={t('since')}
        value={search.since}
        onChange={(since) => onChange({ since })}
      />
      <div className="min-w-40 grow">
        <SearchField
          label={t('search')}
          placeholder={t('search')}
          value={search.id ?? ''}
          onSearch={(id) => onChange({ id: id || undefined })}
        />
      </div>
    </search>
  );
}
