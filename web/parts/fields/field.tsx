import { type ComponentProps, type ReactNode, useId } from 'react';
import { common } from '../../texts/common.ts';

/** The look of every control. The caller sets its size. */
export const controlLook =
  'rounded-lg border border-line-strong/60 bg-surface px-3 text-ink placeholder:text-muted/80 focus-visible:outline-offset-0 aria-invalid:border-bad disabled:bg-sunken disabled:text-muted';

export const inputLook = `${controlLook} w-full py-1.5`;

type Described = { id: string; 'aria-describedby': string | undefined; 'aria-invalid': boolean };

/**
 * A control with its label, its fault and a hint, connected for screen readers.
 *
 * @param children is given what ties the control to its label
 */
export function Field({
  label,
  hint,
  errors,
  optional,
  children,
}: {
  label: ReactNode;
  hint?: ReactNode;
  errors?: string[] | undefined;
  optional?: boolean;
  children: (described: Described) => ReactNode;
}) {
  const id = useId();
  const hintId = hint ? `${id}-hint` : '';
  const errorId = errors?.length ? `${id}-error` : '';
  const describedBy = [errorId, hintId].filter(Boolean).join(' ') || undefined;
  return (
    <div className="grid content-start gap-1">
      <label htmlFor={id} className="text-sm font-medium">
        {label}
        {optional && <span className="font-normal text-muted"> {common('optional')}</span>}
      </label>
      {children({ id, 'aria-describedby': describedBy, 'aria-invalid': Boolean(errorId) })}
      {errorId && (
        <p id={errorId} className="text-sm text-bad">
          {errors?.join(' ')}
        </p>
      )}
      {hintId && (
        <p id={hintId} className="text-sm text-muted">
          {hint}
        </p>
      )}
    </div>
  );
}

type FieldProps = { label: ReactNode; hint?: ReactNode; errors?: string[] | undefined };

export function TextField({
  label,
  hint,
  errors,
  optional,
  className = '',
  ...input
}: FieldProps & { optional?: boolean } & Omit<ComponentProps<'input'>, 'id'>) {
  return (
    <Field label={label} hint={hint} errors={errors} optional={optional}>
      {(described) => (
        <input dir="auto" {...described} {...input} className={`${inputLook} h-9 ${className}`} />
      )}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  errors,
  optional,
  className = '',
  ...area
}: FieldProps & { optional?: boolean } & Omit<ComponentProps<'textarea'>, 'id'>) {
  return (
    <Field label={label} hint={hint} errors={errors} optional={optional}>
      {(described) => (
        <textarea
          dir="auto"
          {...described}
          rows={3}
          {...area}
          className={`${inputLook} ${className}`}
        />
      )}
    </Field>
  );
}

/** @param choices the words of each value, after the options that are given as children */
export function SelectField({
  label,
  hint,
  errors,
  optional,
  choices = {},
  children,
  ...select
}: FieldProps & { optional?: boolean; choices?: Readonly<Record<string, string>> } & Omit<
    ComponentProps<'select'>,
    'id'
  >) {
  return (
    <Field label={label} hint={hint} errors={errors} optional={optional}>
      {(described) => (
        <select {...described} {...select} className={`${controlLook} h-9 w-full`}>
          {children}
          {Object.entries(choices).map(([value, words]) => (
            <option key={value} value={value}>
              {words}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function CheckField({
  label,
  hint,
  ...input
}: { label: ReactNode; hint?: ReactNode } & Omit<ComponentProps<'input'>, 'id' | 'type'>) {
  const id = useId();
  return (
    <div className="flex items-start gap-2">
      <input
        id={id}
        type="checkbox"
        className="mt-1 size-4 shrink-0 accent-accent"
        aria-describedby={hint ? `${id}-hint` : undefined}
        {...input}
      />
      <div className="min-w-0 wrap-anywhere">
        <label htmlFor={id}>{label}</label>
        {hint && (
          <p id={`${id}-hint`} className="text-sm text-muted">
            {hint}
          </p>
        )}
      </div>
    </div>
  );
}
