import { Switch } from 'radix-ui';
import { type ReactNode, useId } from 'react';

const sizes = {
  normal: {
    track: 'mt-0.5 h-6 w-11',
    thumb:
      'size-5 data-[state=checked]:translate-x-[1.375rem] rtl:data-[state=checked]:-translate-x-[1.375rem]',
  },
  small: {
    track: 'mt-0.5 h-5 w-9',
    thumb:
      'size-4 data-[state=checked]:translate-x-[1.125rem] rtl:data-[state=checked]:-translate-x-[1.125rem]',
  },
};

type Switched = { value: boolean; disabled?: boolean; onChange: (value: boolean) => void };

/** The switch alone, for a row that has its name elsewhere. */
export function OnOff({
  value,
  size = 'normal',
  onChange,
  ...rest
}: Switched & {
  size?: keyof typeof sizes;
  id?: string;
  'aria-label'?: string;
  'aria-describedby'?: string | undefined;
}) {
  const { track, thumb } = sizes[size];
  return (
    <Switch.Root
      {...rest}
      checked={value}
      onCheckedChange={onChange}
      className={`relative shrink-0 rounded-full bg-line-strong forced-color-adjust-none transition-colors data-[state=checked]:bg-accent disabled:opacity-50 ${track}`}
    >
      <Switch.Thumb
        className={`block translate-x-0.5 rtl:-translate-x-0.5 rounded-full bg-surface shadow transition-transform ${thumb}`}
      />
    </Switch.Root>
  );
}

/** Something that is on or off, with its name and what it means. */
export function SwitchField({
  label,
  hint,
  errors,
  ...control
}: Switched & { label: ReactNode; hint?: ReactNode; errors?: string[] | undefined }) {
  const id = useId();
  const hintId = hint && `${id}-hint`;
  const errorId = errors && `${id}-error`;
  return (
    <div className="flex items-start justify-between gap-6">
      <div>
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        {errorId && (
          <p id={errorId} className="text-sm text-bad">
            {errors.join(' ')}
          </p>
        )}
        {hintId && (
          <p id={hintId} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
      <OnOff
        {...control}
        id={id}
        aria-describedby={[errorId, hintId].filter(Boolean).join(' ') || undefined}
      />
    </div>
  );
}
