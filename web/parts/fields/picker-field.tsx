import { type ReactNode, useRef, useState } from 'react';
import { common } from '../../texts/common.ts';
import type { Choice } from './choice.ts';
import { Field } from './field.tsx';
import { Picker } from './picker.tsx';

/**
 * A labelled picker of a form.
 *
 * @param isMissing whether the form needs a choice and has none, so that it is not submitted
 */
export function PickerField<Value>({
  label,
  hint,
  errors,
  optional,
  choices,
  value,
  isMissing = false,
  onChoose,
}: {
  label: string;
  hint?: ReactNode;
  errors?: string[] | undefined;
  optional?: boolean;
  choices: readonly Choice<Value>[];
  value: Value;
  isMissing?: boolean;
  onChoose: (value: Value) => void;
}) {
  const [wasRefused, setWasRefused] = useState(false);
  const field = useRef<HTMLDivElement>(null);
  const shown = wasRefused && isMissing ? [common('chooseOne')] : errors;
  return (
    <Field label={label} hint={hint} errors={shown} optional={optional}>
      {(described) => (
        <div ref={field} className="min-w-0">
          <Picker
            {...described}
            label={label}
            choices={choices}
            value={value}
            onChoose={onChoose}
          />
          {isMissing && (
            // A button takes no part in the validation of a form.
            <input
              required
              tabIndex={-1}
              aria-hidden
              className="sr-only"
              value=""
              onChange={() => {}}
              onInvalid={(event) => {
                event.preventDefault();
                setWasRefused(true);
                field.current?.querySelector('button')?.focus();
              }}
            />
          )}
        </div>
      )}
    </Field>
  );
}
