import { Command } from 'cmdk';
import { Check } from 'lucide-react';
import { Popover } from 'radix-ui';
import type { RefObject } from 'react';
import { common } from '../../texts/common.ts';
import type { Choice } from './choice.ts';
import { Found, FoundGroup, SearchInput } from './found.tsx';
import { rankWords } from './rank-words.ts';

/** The list of a picker: a search field, and the choices that match. */
export function PickerList<Value>({
  button,
  label,
  choices,
  value,
  onChoose,
  onClose,
}: {
  button: RefObject<HTMLButtonElement | null>;
  label: string;
  choices: readonly Choice<Value>[];
  value?: Value;
  onChoose: (value: Value) => void;
  onClose: () => void;
}) {
  const entries = choices.map((choice, index) => ({ ...choice, key: String(index) }));
  const groups = Map.groupBy(entries, ({ group }) => group);
  const chosen = entries.find((each) => each.value === value);
  return (
    // Modal, because a dialog around it lets nothing else scroll.
    <Popover.Root open modal onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Popover.Anchor virtualRef={button as RefObject<HTMLButtonElement>} />
      <Popover.Portal>
        <Popover.Content
          aria-label={label}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            button.current?.focus();
          }}
          className="rise z-50 w-max min-w-[max(13rem,var(--radix-popover-trigger-width))] max-w-[min(24rem,var(--radix-popover-content-available-width))] overflow-hidden rounded-xl border border-line bg-raised shadow-pop"
        >
          <Command
            label={label}
            loop
            vimBindings={false}
            defaultValue={chosen?.key ?? '0'}
            filter={(_, typed, [words = ''] = []) => rankWords(words, typed)}
            className="flex max-h-[min(24rem,var(--radix-popover-content-available-height))] flex-col"
          >
            <SearchInput placeholder={common('search')} />
            <Command.List label={label} className="min-h-0 grow overflow-y-auto p-1">
              <Command.Empty className="px-2.5 py-2 text-muted">
                {common('nothingFound')}
              </Command.Empty>
              {[...groups].map(([group, members]) => (
                <FoundGroup key={group ?? ''} heading={group}>
                  {members.map(({ key, words, isDisabled, value: each }) => (
                    <Found
                      key={key}
                      value={key}
                      words={words}
                      isDisabled={isDisabled}
                      onChoose={() => {
                        onClose();
                        if (each !== value) onChoose(each);
                      }}
                    >
                      {each === value && (
                        <Check className="size-4 shrink-0 text-accent" aria-hidden />
                      )}
                    </Found>
                  ))}
                </FoundGroup>
              ))}
            </Command.List>
          </Command>
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
