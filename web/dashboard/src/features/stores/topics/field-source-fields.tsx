import { SelectField, TextField } from '../../../../../parts/fields/field.tsx';
import { stores as t } from '../../../../../texts/stores.ts';
import { textsOf } from '../../../../../texts/translator.ts';
import type { TopicAction } from '../../../api/records.ts';

type FieldSource = NonNullable<TopicAction['template']>['fields'][number];

/** The source and the conversion of the value of one template field. */
export function FieldSourceFields({
  label,
  hint,
  source,
  errors,
  onFocus,
  onChange,
}: {
  label: string;
  hint: string | undefined;
  source: FieldSource;
  errors: string[] | undefined;
  onFocus: () => void;
  onChange: (change: { path?: string; default?: string; format?: FieldSource['format'] }) => void;
}) {
  return (
    <div className="grid grid-cols-2 gap-3 sm:grid-cols-[2fr_1fr_1fr]">
      <div className="col-span-2 sm:col-span-1">
        <TextField
          label={t('fieldPath', { field: label })}
          hint={hint}
          placeholder={t('pathPlaceholder')}
          errors={errors}
          required
          maxLength={200}
          value={source.path}
          onFocus={onFocus}
          onChange={(event) => onChange({ path: event.target.value.trim() })}
          className="font-mono text-sm"
        />
      </div>
      <TextField
        label={t('default')}
        optional
        value={source.default ?? ''}
        onChange={(event) => onChange({ default: event.target.value || undefined })}
      />
      <SelectField
        label={t('format')}
        value={source.format ?? ''}
        onChange={(event) =>
          onChange({ format: (event.target.value || undefined) as FieldSource['format'] })
        }
        choices={textsOf(t, 'formats')}
      />
    </div>
  );
}
