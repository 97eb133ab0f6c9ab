import { controlLook } from './field.tsx';

/**
 * Chooses a value of a filter, or any.
 *
 * @param any the words for no value
 */
export function FilterChoice<Value extends string | number>({
  label,
  any,
  value,
  choices,
  onChoose,
}: {
  label: string;
  any: string;
  value: Value | undefined;
  choices: { value: Value; words: string }[];
  onChoose: (value: Value | undefined) => void;
}) {
  return (
    <select
      aria-label={label}
      value={value ?? ''}
      onChange={({ target }) =>
        onChoose(choices.find((each) => String(each.value) === target.value)?.value)
      }
      className={`${controlLook} h-9 max-w-48 text-sm`}
    >
      <option value="">{any}</option>
      {choices.map((each) => (
        <option key={each.value} value={each.value}>
          {each.words}
        </option>
      ))}
    </select>
  );
}
