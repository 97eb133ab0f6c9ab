import { SelectField } from '../../../../parts/field.tsx';
import { common } from '../../../../texts/common.ts';
import { type LabelKind, useLabels } from './use-labels.ts';

/** Chooses one label of a kind, or none. */
export function LabelSelect({
  kind,
  label,
  errors,
  value,
  onChange,
}: {
  kind: LabelKind;
  label: string;
  errors?: string[];
  value: number | null;
  onChange: (value: number | null) => void;
}) {
  const { data = [] } = useLabels(kind);
  return (
    <SelectField
      label={label}
      optional
      errors={errors}
      value={value ?? ''}
      onChange={(event) => onChange(event.target.value ? Number(event.target.value) : null)}
    >
      <option value="">{common.none}</option>
      {data.map((each) => (
        <option key={each.id} value={each.id}>
          {each.name}
        </option>
      ))}
    </SelectField>
  );
}
