import { TextField } from '../../../../parts/fields/field.tsx';
import { bots as t } from '../../../../texts/bots.ts';
import { TemplatePreview } from '../templates/template-preview.tsx';
import { chosenOf, TemplateSelect } from '../templates/template-select.tsx';
import { fieldsOf, useSendableTemplates } from '../templates/use-templates.ts';
import { placeholders } from './placeholders.ts';

export type ChosenTemplate = { name: string; language: string; fields: string[] };

/**
 * Chooses the template of a bot, and what its fields say.
 *
 * @param onChange is also given the names of the errors that the change settles
 */
export function TemplateFields({
  template,
  errorsOf,
  onChange,
}: {
  template: ChosenTemplate;
  errorsOf: (...names: string[]) => string[] | undefined;
  onChange: (template: ChosenTemplate, ...faults: string[]) => void;
}) {
  // A bot replies from the number that was written to, which can be one of any account.
  const sendable = useSendableTemplates();
  const choices = sendable ?? [];
  const value = template.name ? template : undefined;
  const chosen = chosenOf(choices, value);
  const numbers = chosen ? fieldsOf(chosen).map(({ number }) => number) : [];
  const count = Math.max(0, ...numbers);
  const ofTemplate = ['template_name', 'template_language', 'fields'];
  const fieldNames = Array.from({ length: count }, (_, index) => `field_${index + 1}`);
  return (
    <>
      <TemplateSelect
        choices={choices}
        value={value}
        required
        hint={sendable?.length === 0 ? t('noTemplate') : undefined}
        errors={errorsOf(...ofTemplate)}
        onChange={(found) =>
          found &&
          onChange(
            { name: found.name, language: found.language, fields: [] },
            ...ofTemplate,
            ...fieldNames,
          )
        }
      />
      {fieldNames.map((name, index) => (
        <TextField
          key={name}
          label={t('field', { number: index + 1 })}
          hint={index === 0 ? t('replyHint', { placeholders: placeholders() }) : undefined}
          errors={errorsOf(name)}
          required
          value={template.fields[index] ?? ''}
          onChange={(event) => {
            const fields = fieldNames.map((_, at) => template.fields[at] ?? '');
            fields[index] = event.target.value;
            onChange({ ...template, fields }, name);
          }}
        />
      ))}
      {chosen && (
        <TemplatePreview
          template={chosen}
          values={Object.fromEntries(template.fields.map((value, index) => [index + 1, value]))}
        />
      )}
    </>
  );
}
