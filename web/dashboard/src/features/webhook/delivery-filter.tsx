import { controlLook } from '../../../../parts/field.tsx';
import { SearchField } from '../../../../parts/search-field.tsx';
import { useFollowing } from '../../../../parts/use-following.ts';
import { textsOf } from '../../../../texts/translator.ts';
import { webhook as t } from '../../../../texts/webhook.ts';
import type { DeliverySearch } from './search.ts';

const look = `${controlLook} h-8 text-sm`;

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
  // The address follows a moment later, and a date that is half typed must not be replaced meanwhile.
  const [since, setSince] = useFollowing(search.since ?? '');
  return (
    <search className="flex flex-wrap gap-2 border-b border-line px-5 pb-3">
      <select
        aria-label={t('event')}
        value={search.event ?? ''}
        onChange={({ target }) => onChange({ event: target.value || undefined })}
        className={look}
      >
        <option value="">{t('anyEvent')}</option>
        {[...eventTypes, 'webhook.test'].map((each) => (
          <option key={each}>{each}</option>
        ))}
      </select>
      <select
        aria-label={t('state')}
        value={search.state ?? ''}
        onChange={({ target }) =>
          onChange({ state: (target.value || undefined) as DeliverySearch['state'] })
        }
        className={look}
      >
        <option value="">{t('anyState')}</option>
        {Object.entries(textsOf(t, 'states')).map(([state, label]) => (
          <option key={state} value={state}>
            {label}
          </option>
        ))}
      </select>
      <label className="flex items-center gap-2 text-sm text-muted">
        {t('since')}
        <input
          type="datetime-local"
          // Otherwise a browser lets a year have six digits.
          max="9999-12-31T23:59"
          value={since}
          onChange={({ target }) => {
            setSince(target.value);
            onChange({ since: target.value || undefined });
          }}
          className={look}
        />
      </label>
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
