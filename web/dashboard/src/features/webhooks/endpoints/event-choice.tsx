import { CheckGroup, Checks } from '../../../../../parts/fields/check-group.tsx';
import { webhook as t } from '../../../../../texts/webhook.ts';
import type { WebhookSettingsData } from '../../../api/records.ts';

type EventType = WebhookSettingsData['all_event_types'][number];
type SubjectOf<Type> = Type extends `${infer Subject}.${string}` ? Subject : never;
type VerbOf<Type> = Type extends `${string}.${infer Verb}` ? Verb : never;

/** The events of an endpoint, by name or by family. */
export function EventChoice({
  types,
  value,
  errors,
  disabled,
  onChange,
}: {
  types: EventType[];
  value: string[];
  errors: string[] | undefined;
  disabled: boolean;
  onChange: (chosen: string[]) => void;
}) {
  const categories = Object.entries(Object.groupBy(types, (type) => type.split('.')[0] ?? ''));
  return (
    <CheckGroup legend={t('events')} errors={errors} disabled={disabled}>
      <div className="mt-1 grid gap-4 sm:grid-cols-3">
        {categories.map(([category, ofCategory = []]) => (
          <fieldset key={category}>
            <legend className="text-sm text-muted">
              {t(`categories.${category as SubjectOf<EventType>}`)}
            </legend>
            <Checks
              value={value}
              onChange={onChange}
              choices={[
                ...ofCategory.map((type) => ({
                  value: type as string,
                  label: t(`operations.${type.split('.')[1] as VerbOf<EventType>}`),
                  isImplied: value.includes(`${category}.*`),
                })),
                { value: `${category}.*`, label: t('operations.all') },
              ]}
            />
          </fieldset>
        ))}
      </div>
      <p className="mt-2 text-sm text-muted">
        {t('allHint')} {t('readHint')}
      </p>
    </CheckGroup>
  );
}
