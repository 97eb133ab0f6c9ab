import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Button } from '../buttons/button.tsx';
import { MenuButton } from './menu-button.tsx';

const loadList = () => import('./choice-list.tsx');

/**
 * A button that opens a short list of actions. A choice is carried out at once. A select would do so at each step of
 * an arrow key. For many choices there is `PickerButton`.
 *
 * @param value the current choice, if there is one
 */
export function ChoiceMenu<Value extends string | number>({
  children,
  busy,
  ...list
}: {
  children: ReactNode;
  choices: { value: Value; words: string }[];
  value?: Value;
  busy: boolean;
  onChoose: (value: Value) => void;
}) {
  return (
    <MenuButton
      load={loadList}
      menu={({ ChoiceList }, props) => <ChoiceList {...list} {...props} />}
    >
      {(button) => (
        <Button small busy={busy} disabled={list.choices.length === 0} {...button}>
          {children}
          <ChevronDown className="size-4 text-muted" aria-hidden />
        </Button>
      )}
    </MenuButton>
  );
}
