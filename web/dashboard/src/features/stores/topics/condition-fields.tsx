import { TextField } from '../../../../../parts/fields/field.tsx';
import { stores as t } from '../../../../../texts/stores.ts';
import type { TopicAction } from '../../../api/records.ts';

type Condition = NonNullable<NonNullable<TopicAction['template']>['only_if']>;

/** A condition as it is typed: the values with commas between them. The path is empty without a condition. */
export type TypedCondition = { path: string; values: string };

/** The fields of the value that a payload must have, so that the message is sent. */
export function ConditionFields({
  hint,
  condition,
  errors,
  onFocus,
  onChange,
}: {
  hint: string;
  condition: TypedCondition;
  errors: string[] | undefined;
  onFocus: () => void;
  onChange: (change: Partial<TypedCondition>) => void;
}) {
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
      <TextField
        label={t('conditionPath')}
        hint={hint}
        placeholder="status"
        errors={errors}
        optional
        required={condition.values.trim() !== ''}
        maxLength={200}
        value={condition.path}
        onFocus={onFocus}
        onChange={({ target }) => onChange({ path: target.value.trim() })}
        className="font-mono text-sm"
      />
      <TextField
        label={t('conditionValues')}
        hint={t('conditionValuesHint')}
        optional
        maxLength={1000}
        value={condition.values}
        onChange={({ target }) => onChange({ values: target.value })}
      />
    </div>
  );
}

export function typedCondition(condition: Condition | undefined): TypedCondition {
  return { path: condition?.path ?? '', values: condition?.values.join(', ') ?? '' };
}

export function conditionOf({ path, values }: TypedCondition): Condition | undefined {
  const wanted = values.split(',').map((each) => each.trim());
  return path === '' ? undefined : { path, values: wanted.filter(Boolean) };
}
