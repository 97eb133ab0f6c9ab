import { Command as Cmdk } from 'cmdk';
import { Dialog } from 'radix-ui';
import { useState } from 'react';
import { Found, FoundGroup, SearchInput } from '../../../../parts/fields/found.tsx';
import { rankWords } from '../../../../parts/fields/rank-words.ts';
import { useFocus } from '../../../../parts/overlays/dialog.tsx';
import { commands as t } from '../../../../texts/commands.ts';
import type { Command } from './commands.ts';
import { KeyNames } from './key-names.tsx';
import { FoundPeople, isFoundByService } from './palette-people.tsx';
import { PaletteTenants } from './palette-tenants.tsx';

/** Finds pages, actions, contacts and conversations by a few letters, and messages by their reference. */
export function Palette({
  commands,
  typedAhead,
  onRun,
  onClose,
}: {
  commands: readonly Command[];
  /** What was typed before the palette was there. */
  typedAhead: string;
  onRun: (command: Command) => void;
  onClose: () => void;
}) {
  const [typed, setTyped] = useState(typedAhead);
  const focus = useFocus();
  const sections = Map.groupBy(
    commands.filter(({ isKeyOnly }) => !isKeyOnly),
    ({ section }) => section,
  );
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && onClose()}>
      <Dialog.Portal>
        <Dialog.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Dialog.Content
          aria-describedby={undefined}
          {...focus}
          className="rise fixed inset-x-3 top-[12dvh] z-50 mx-auto max-w-xl overflow-hidden rounded-2xl border border-line bg-raised shadow-pop"
        >
          <Dialog.Title className="sr-only">{t('palette')}</Dialog.Title>
          <Cmdk
            label={t('palette')}
            loop
            vimBindings={false}
            filter={(value, typed, [words = ''] = []) =>
              isFoundByService(value) ? 0.4 : rankWords(words, typed)
            }
            className="flex max-h-[70dvh] flex-col"
          >
            <SearchInput
              placeholder={t('palettePlaceholder')}
              value={typed}
              onValueChange={setTyped}
            />
            <Cmdk.List label={t('palette')} className="min-h-0 grow overflow-y-auto p-1.5">
              {[...sections].map(([section, members]) => (
                <FoundGroup key={section} heading={t(`sections.${section}`)}>
                  {members.map((command) => (
                    <Found
                      key={command.id}
                      value={command.id}
                      words={command.words}
                      before={<command.icon className="size-4 shrink-0 text-muted" aria-hidden />}
                      onChoose={() => {
                        onClose();
                        onRun(command);
                      }}
                    >
                      {command.keys && <KeyNames keys={command.keys} />}
                    </Found>
                  ))}
                </FoundGroup>
              ))}
              <PaletteTenants onClose={onClose} />
              <FoundPeople typed={typed} onClose={onClose} />
            </Cmdk.List>
          </Cmdk>
        </Dialog.Content>
      </Dialog.Portal>
    </Dialog.Root>
  );
}
