import { controlLook } from './field.tsx';

/**
 * Chooses a value of a filter, or any. It has no label that is seen, unlike `SelectField`.
 *
 * @param any the words for no value, if that is a choice
 * @param className its size
 */
export function FilterChoice<Value extends string | number>({
  label,
  any,
  value,
  choices,
  onChoose,
  className = 'max-w-48',
}: {
  label: string;
  any?: string | undefined;
  value: Value | undefined;
  choices: { value: Value; words: string }[];
  onChoose: (value: Value | undefined) => void;
  className?: string;
}) {
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={({ target }) =>
        onChoose(choices.find((each) => String(each.value) === target.value)?.value)
      }
      className={`${controlLook} h-9 text-sm ${className}`}
    >
      {any !== undefined && <option value="">{any}</option>}
      {choices.map((each) => (
        <option key={each.value} value={each.value}>
          {each.words}
        </option>
      ))}
    </select>
  );
}
