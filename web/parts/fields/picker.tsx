import { ChevronDown } from 'lucide-react';
import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { Button } from '../buttons/button.tsx';
import { type OpenerProps, useOpener } from '../overlays/use-opener.ts';
import type { Choice } from './choice.ts';
import { controlLook } from './field.tsx';

type PickerProps<Value> = {
  choices: readonly Choice<Value>[];
  /** The current one, if there is one. */
  value?: Value;
  onChoose: (value: Value) => void;
};

const loadList = () => import('./picker-list.tsx');

/** Opens a list with a search field. */
function PickerBase<Value>({
  label,
  trigger,
  ...list
}: PickerProps<Value> & { label: string; trigger: (props: OpenerProps) => ReactElement }) {
  const { button, props, loaded, isOpen, setIsOpen } = useOpener(loadList, 'dialog');
  return (
    <>
      {trigger(props)}
      {isOpen && loaded && (
        <loaded.PickerList
          button={button}
          label={label}
          onClose={() => setIsOpen(false)}
          {...list}
        />
      )}
    </>
  );
}

type ButtonProps = Omit<ComponentProps<'button'>, 'value' | 'onChange' | 'children' | 'role'>;

/**
 * Chooses one of many by searching for it. It looks like a select, which is the better control for a few choices.
 *
 * @param label names the list that opens; the button is named by its own label or `aria-label`
 */
export function Picker<Value>({
  label,
  choices,
  value,
  onChoose,
  className = 'w-full',
  ...button
}: PickerProps<Value> & { label: string } & ButtonProps) {
  const chosen = choices.find((each) => each.value === value);
  return (
    <PickerBase
      label={label}
      choices={choices}
      value={value}
      onChoose={onChoose}
      trigger={(props) => (
        <button
          type="button"
          role="combobox"
          {...button}
          {...props}
          aria-expanded={props['aria-expanded']}
          className={`${controlLook} inline-flex h-9 items-center gap-2 pe-2 text-start ${className}`}
        >
          <span dir="auto" className="min-w-0 grow truncate">
            {chosen?.words}
          </span>
          <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden />
        </button>
      )}
    />
  );
}

/** A button that opens a list of actions. A choice is carried out at once. */
export function PickerButton<Value>({
  label,
  busy,
  children,
  ...list
}: PickerProps<Value> & { label: string; busy: boolean; children: ReactNode }) {
  return (
    <PickerBase
      label={label}
      {...list}
      trigger={(props) => (
        <Button small busy={busy} disabled={list.choices.length === 0} {...props}>
          {children}
          <ChevronDown className="size-4 text-muted" aria-hidden />
        </Button>
      )}
    />
  );
}
