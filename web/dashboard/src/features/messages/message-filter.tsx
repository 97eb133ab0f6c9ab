import { useFollowing } from '../../../../parts/behaviour/use-following.ts';
import { ClockField } from '../../../../parts/fields/clock-field.tsx';
import { controlLook } from '../../../../parts/fields/field.tsx';
import { FilterChoice } from '../../../../parts/fields/filter-choice.tsx';
import { FilterFold } from '../../../../parts/fields/filter-fold.tsx';
import { SearchField } from '../../../../parts/fields/search-field.tsx';
import { conversations } from '../../../../texts/conversations.ts';
import { messages as t } from '../../../../texts/messages.ts';
import { textsOf } from '../../../../texts/translator.ts';
import { nameOf, useNumbers } from '../numbers/use-numbers.ts';
import { causes, type ErrorCode, type MessageSearch, readErrorCode, statuses } from './search.ts';

/** Narrows the messages. */
export function MessageFilter({
  search,
  onChange,
}: {
  search: MessageSearch;
  onChange: (part: MessageSearch) => void;
}) {
  const numbers = useNumbers().data?.numbers ?? [];
  const known = numbers.map((each) => ({ value: each.phone_number_id, words: nameOf(each) }));
  const isGone = search.number && known.every(({ value }) => value !== search.number);
  const { reference, ...folded } = search;
  return (
    <search className="flex flex-wrap gap-2 border-b border-line p-5">
      <FilterFold values={Object.values(folded)}>
        <FilterChoice
          label={t('status')}
          any={t('anyStatus')}
          value={search.status}
          choices={statuses.map((value) => ({ value, words: t(`statuses.${value}`) }))}
          onChoose={(status) => onChange({ status, error_code: undefined })}
        />
        {(search.status === 'failed' || search.error_code !== undefined) && (
          <ErrorCodeField
            value={search.error_code}
            onChange={(error_code) => onChange({ error_code })}
          />
        )}
        {(known.length > 1 || search.number) && (
          <FilterChoice
            label={t('number')}
            any={t('anyNumber')}
            value={search.number}
            choices={[
              ...known,
              // Messages of numbers that are no longer connected stay.
              ...(isGone
                ? [{ value: search.number!, words: conversations('disconnectedNumber') }]
                : []),
            ]}
            onChoose={(number) => onChange({ number })}
          />
        )}
        <FilterChoice
          label={t('type')}
          any={t('anyType')}
          value={search.type}
          choices={Object.entries(textsOf(t, 'types')).map(([value, words]) => ({ value, words }))}
          onChoose={(type) => onChange({ type })}
        />
        <FilterChoice
          label={t('cause')}
          any={t('anyCause')}
          value={search.cause}
          choices={causes.map((value) => ({ value, words: t(`causes.${value}`) }))}
          onChoose={(cause) => onChange({ cause })}
        />
        <ClockField
          label={t('since')}
          value={search.since}
          onChange={(since) => onChange({ since })}
        />
        <ClockField
          label={t('until')}
          value={search.until}
          onChange={(until) => onChange({ until })}
        />
      </FilterFold>
      <div className="min-w-40 grow basis-40">
        <SearchField
          label={t('reference')}
          placeholder={t('reference')}
          value={reference ?? ''}
          onSearch={(text) => onChange({ reference: text || undefined })}
        />
      </div>
    </search>
  );
}

function ErrorCodeField({
  value,
  onChange,
}: {
  value: ErrorCode | undefined;
  onChange: (value: ErrorCode | undefined) => void;
}) {
  const [shown, setShown] = useFollowing(value === 'none' ? t('noCode') : String(value ?? ''));
  return (
    <label className="flex items-center gap-2 text-sm text-muted">
      {t('errorCode')}
      <input
        inputMode="numeric"
        maxLength={9}
        value={shown}
        onChange={({ target }) => {
          const digits = target.value.replace(/\D/g, '');
          setShown(digits);
          onChange(readErrorCode(digits));
        }}
        className={`${controlLook} h-9 w-24 text-sm`}
      />
    </label>
  );
}
