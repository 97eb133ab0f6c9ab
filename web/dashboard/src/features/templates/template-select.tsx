import { PickerField } from '../../../../parts/fields/picker-field.tsx';
import { templates as t } from '../../../../texts/templates.ts';
import type { TemplateData } from '../../api/records.ts';

type Named = { name: string; language: string };

/**
 * Chooses one of the templates that can go out. One that was chosen before, and cannot go out now,
 * is still shown as such.
 *
 * @param none the words of choosing none, which cannot be chosen where one is `required`
 */
export function TemplateSelect({
  choices,
  value,
  none = t('choose'),
  required = false,
  label = t('template'),
  hint,
  errors,
  onChange,
}: {
  choices: TemplateData[];
  value: Named | undefined;
  none?: string;
  required?: boolean;
  label?: string;
  hint?: string;
  errors: string[] | undefined;
  onChange: (chosen: TemplateData | undefined) => void;
}) {
  const chosen = chosenOf(choices, value);
  const missing =
    value && !chosen ? [{ value: 'missing', words: t('missing', { name: value.name }) }] : [];
  return (
    <PickerField
      label={label}
      hint={hint}
      errors={errors}
      value={chosen?.id ?? (value ? 'missing' : 'none')}
      isMissing={required && !value}
      choices={[
        { value: 'none', words: none, isDisabled: required },
        ...missing.map((each) => ({ ...each, isDisabled: true })),
        ...choices.map(({ id, name, language }) => ({ value: id, words: `${name} (${language})` })),
      ]}
      onChoose={(wanted) => onChange(choices.find(({ id }) => id === wanted))}
    />
  );
}

/** Finds the template of a name and language; undefined if it cannot be sent now. */
export function chosenOf(choices: TemplateData[], value: Named | undefined) {
  return choices.find(({ name, language }) => name === value?.name && language === value.language);
}
