import { useFollowing } from '../behaviour/use-following.ts';
import { controlLook } from './field.tsx';

/**
 * A day and a time of a filter, as a clock shows them, such as `2026-11-25T09:05`.
 *
 * @param value may change a moment after `onChange`, for example if the address of the page has it
 */
export function ClockField({
  label,
  value,
  onChange,
}: {
  label: string;
  value: string | undefined;
  onChange: (value: string | undefined) => void;
}) {
  // A date that is half typed must not be replaced meanwhile.
  const [shown, setShown] = useFollowing(value ?? '');
  return (
    <label className="flex items-center gap-2 text-sm text-muted">
      {label}
      <input
        type="datetime-local"
        // Otherwise a browser lets a year have six digits.
        max="9999-12-31T23:59"
        value={shown}
        onChange={({ target }) => {
          setShown(target.value);
          onChange(target.value || undefined);
        }}
        className={`${controlLook} h-9 text-sm`}
      />
    </label>
  );
}
