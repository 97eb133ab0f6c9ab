import { SelectField } from '../../../../parts/field.tsx';
import { templates as texts } from '../../../../texts/templates.ts';
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
  none = texts.choose,
  required = false,
  label = texts.template,
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
  return (
    <SelectField
      label={label}
      hint={hint}
      required={required}
      errors={errors}
      value={chosen?.id ?? (value ? 'missing' : '')}
      onChange={(event) => onChange(choices.find(({ id }) => String(id) === event.target.value))}
    >
      <option value="" disabled={required}>
        {none}
      </option>
      {value && !chosen && (
        <option value="missing" disabled>
          {texts.missing(value.name)}
        </option>
      )}
      {choices.map(({ id, name, language }) => (
        <option key={id} value={id}>
          {name} ({language})
        </option>
      ))}
    </SelectField>
  );
}

/** The template of that name and language, where it can go out now. */
export function chosenOf(choices: TemplateData[], value: Named | undefined) {
  return choices.find(({ name, language }) => name === value?.name && language === value.language);
}
