import { useEffect, useEffectEvent } from 'react';
import { tinykeys } from 'tinykeys';
import { type Command, commands } from './commands.ts';
import { areSingleKeysOn, isForOthers } from './shortcut-keys.ts';

/** Runs the commands by their keys. */
export function useKeys(run: (command: Command) => boolean): void {
  const press = useEffectEvent((event: KeyboardEvent, command: Command, keys: string) => {
    if (isForOthers(event) || (!keys.includes('$mod') && !areSingleKeysOn())) return;
    if (run(command)) event.preventDefault();
  });
  useEffect(() => {
    // One listener for each: after a match, tinykeys would forget for a second what the keys behind it in a list began.
    const ends = commands.flatMap((command) =>
      variantsOf(command.keys).map((keys) =>
        tinykeys(window, {
          [keys]: (event: KeyboardEvent) => press(event, command, keys),
        }),
      ),
    );
    return () => {
      for (const end of ends) end();
    };
  }, []);
}

/** Some keyboards have a punctuation mark only together with Shift. */
function variantsOf(keys = ''): string[] {
  if (keys === '') return [];
  return /^\W$/.test(keys) ? [keys, `Shift+${keys}`] : [keys];
}
