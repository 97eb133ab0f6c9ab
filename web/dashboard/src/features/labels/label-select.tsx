import { PickerField } from '../../../../parts/fields/picker-field.tsx';
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
    <PickerField
      label={label}
      optional
      errors={errors}
      value={value}
      choices={[
        { value: null, words: common('none') },
        ...data.map(({ id, name }) => ({ value: id, words: name })),
      ]}
      onChoose={onChange}
    />
  );
}
