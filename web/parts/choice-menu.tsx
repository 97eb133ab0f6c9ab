import { Check, ChevronDown } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { menuItem, menuPanel } from './menu-look.ts';

/**
 * A button that opens a list, one of which is then done at once. A select would do so at each step of
 * an arrow key.
 *
 * @param value the one that holds now, where one does
 */
export function ChoiceMenu<Value extends string | number>({
  children,
  choices,
  value,
  busy,
  onChoose,
}: {
  children: ReactNode;
  choices: { value: Value; words: string }[];
  value?: Value;
  busy: boolean;
  onChoose: (value: Value) => void;
}) {
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger asChild>
        <Button small busy={busy} disabled={choices.length === 0}>
          {children}
          <ChevronDown className="size-4 text-muted" aria-hidden />
        </Button>
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          sideOffset={4}
          collisionPadding={8}
          className={menuPanel}
        >
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
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
