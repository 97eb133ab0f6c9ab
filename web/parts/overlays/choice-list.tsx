import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Menu } from './menu.tsx';
import type { MenuProps } from './menu-button.tsx';
import { menuItem } from './menu-look.ts';

/** The list of a `ChoiceMenu`. */
export function ChoiceList<Value extends string | number>({
  choices,
  value,
  onChoose,
  ...menu
}: MenuProps & {
  choices: { value: Value; words: string }[];
  value?: Value;
  onChoose: (value: Value) => void;
}) {
  return (
    <Menu {...menu}>
      {choices.map((each) => (
        <DropdownMenu.Item
          key={each.value}
          className={menuItem}
          onSelect={() => each.value !== value && onChoose(each.value)}
        >
          <span dir="auto" className="min-w-0 grow truncate">
            {each.words}
          </span>
          {each.value === value && <Check className="size-4 text-accent" aria-hidden />}
        </DropdownMenu.Item>
      ))}
    </Menu>
  );
}
