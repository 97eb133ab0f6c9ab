import { useState } from 'react';
import { SwitchField } from '../../../../parts/fields/switch-field.tsx';
import { Dialog } from '../../../../parts/overlays/dialog.tsx';
import { commands as t } from '../../../../texts/commands.ts';
import type { Command } from './commands.ts';
import { KeyNames } from './key-names.tsx';
import { areSingleKeysOn, switchSingleKeys } from './shortcut-keys.ts';

/** Every key that does something. */
export function Shortcuts({
  commands,
  onClose,
}: {
  commands: readonly Command[];
  onClose: () => void;
}) {
  const [isOn, setIsOn] = useState(areSingleKeysOn);
  const sections = Map.groupBy(
    commands.filter(({ keys }) => keys),
    ({ section }) => section,
  );
  return (
    <Dialog title={t('shortcuts')} wide open onClose={onClose}>
      <div className="gap-6 sm:columns-2">
        {[...sections].map(([section, members]) => (
          <section key={section} className="mb-4 break-inside-avoid">
            <h3 className="mb-1 text-sm font-medium text-muted">{t(`sections.${section}`)}</h3>
            <dl>
              {members.map(({ id, words, keys }) => (
                <div key={id} className="flex items-center justify-between gap-4 py-1">
                  <dt>{words}</dt>
                  <dd>
                    <KeyNames keys={keys!} />
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <div className="border-t border-line pt-4">
        <SwitchField
          label={t('singleKeys')}
          hint={t('singleKeysHint')}
          value={isOn}
          onChange={(on) => {
            setIsOn(on);
            switchSingleKeys(on);
          }}
        />
      </div>
    </Dialog>
  );
}
