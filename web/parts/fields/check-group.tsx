import { type ReactNode, useId } from 'react';
import { CheckField } from './field.tsx';

/**
 * Several things of which any number can be ticked, under one name.
 *
 * @param actions stand beside the name
 */
export function CheckGroup({
  legend,
  errors,
  actions,
  disabled,
  children,
}: {
  legend: ReactNode;
  errors?: string[] | undefined;
  actions?: ReactNode;
  disabled?: boolean;
  children: ReactNode;
}) {
  const errorId = useId();
  return (
    <fieldset
      disabled={disabled}
      aria-describedby={errors && errorId}
      data-invalid={errors ? '' : undefined}
    >
      <legend className="text-sm font-medium">{legend}</legend>
      {actions && <div className="-mt-6 mb-2 flex justify-end gap-1">{actions}</div>}
      {errors && (
        <p id={errorId} className="mb-1 text-sm text-bad">
          {errors.join(' ')}
        </p>
      )}
      {children}
    </fieldset>
  );
}

/**
 * The ticks of one group, or of one part of it. Ticked values stay in the order of `inOrder`.
 *
 * @param choices one is `isImplied` if another one that is ticked includes it
 */
export function Checks<Value extends string | number>({
  choices,
  value: ticked,
  onChange,
}: {
  choices: readonly { value: Value; label: ReactNode; isImplied?: boolean }[];
  value: readonly Value[];
  onChange: (ticked: Value[]) => void;
}) {
  return choices.map(({ value, label, isImplied = false }) => (
    <CheckField
      key={value}
      label={label}
      checked={isImplied || ticked.includes(value)}
      disabled={isImplied}
      onChange={({ target }) => {
        const others = ticked.filter((each) => each !== value);
        onChange(inOrder(target.checked ? [...others, value] : others));
      }}
    />
  ));
}

/** Sorts ticked values, so that the same ticks compare as the same. */
export function inOrder<Value extends string | number>(values: readonly Value[]): Value[] {
  return values.toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
}
