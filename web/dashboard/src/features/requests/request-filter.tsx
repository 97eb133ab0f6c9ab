import { useQuery } from '@tanstack/react-query';
import { FilterChoice } from '../../../../parts/fields/filter-choice.tsx';
import { FilterFold } from '../../../../parts/fields/filter-fold.tsx';
import { SearchField } from '../../../../parts/fields/search-field.tsx';
import { requests as t } from '../../../../texts/requests.ts';
import { useTenant } from '../../session.ts';
import { methods, type RequestSearch, statuses } from './search.ts';

/** Narrows the requests. */
export function RequestFilter({
  search,
  onChange,
}: {
  search: RequestSearch;
  onChange: (part: RequestSearch) => void;
}) {
  const { api } = useTenant();
  const { data: settings } = useQuery(api.asked('/api-settings'));
  return (
    <search className="flex flex-wrap gap-2 border-b border-line p-5">
      <FilterFold values={[search.status, search.method, search.token]}>
        <FilterChoice
          label={t('status')}
          any={t('anyStatus')}
          value={search.status}
          choices={statuses.map((value) => ({ value, words: t(`statuses.${value}`) }))}
          onChoose={(status) => onChange({ status })}
        />
        <FilterChoice
          label={t('method')}
          any={t('anyMethod')}
          value={search.method}
          choices={methods.map((value) => ({ value, words: value }))}
          onChoose={(method) => onChange({ method })}
        />
        <FilterChoice
          label={t('token')}
          any={t('anyToken')}
          value={search.token}
          choices={(settings?.tokens ?? []).map(({ id, name }) => ({ value: id, words: name }))}
          onChoose={(token) => onChange({ token })}
        />
      </FilterFold>
      <div className="min-w-40 grow basis-40">
        <SearchField
          label={t('path')}
          placeholder={t('path')}
          value={search.path ?? ''}
          onSearch={(path) => onChange({ path: path || undefined })}
        />
      </div>
      <div className="min-w-40 grow basis-40">
        <SearchField
          label={t('requestId')}
          placeholder={t('requestId')}
          value={search.request_id ?? ''}
          onSearch={(id) => onChange({ request_id: id || undefined })}
        />
      </div>
    </search>
  );
}
