import { useEffect, useEffectEvent } from 'react';
import { tinykeys } from 'tinykeys';
import { type Command, commands } from './commands.ts';
import { areSingleKeysOn, isForOthers } from './shortcut-keys.ts';

/** Runs the commands by their keys. */
export function useKeys(run: (command: Command) => boolean): void {
  const press = useEffectEvent((event: KeyboardEvent, command: Command, keys: string) => {
    if (event.defaultPrevented || (!keys.includes('$mod') && !areSingleKeysOn())) return;
    if (run(command)) event.preventDefault();
  });
  useEffect(() => {
    // One listener for each: after a match, tinykeys would forget for a second what the keys behind it in a list began.
    const ends = commands.flatMap((command) =>
      variantsOf(command.keys).map((keys) =>
        tinykeys(
          window,
          { [keys]: (event: KeyboardEvent) => press(event, command, keys) },
          {
            ignore: (event) =>
              isForOthers(event) ||
              isRepeated(event) ||
              (keys.includes('Key') && !isOtherLetter(event)),
          },
        ),
      ),
    );
    return () => {
      for (const end of ends) end();
    };
  }, []);
}

/** Whether the key is held down. Only arrows go on then. */
function isRepeated({ repeat, key }: KeyboardEvent): boolean {
  return repeat && !key.startsWith('Arrow');
}

/** Some keyboards have a punctuation mark only together with Shift, and some have no Latin letters, but their places. */
function variantsOf(keys = ''): string[] {
  if (keys === '') return [];
  if (/^\W$/.test(keys)) return [keys, `Shift+${keys}`];
  const places = keys.replace(/\b[a-z]\b/g, (letter) => `Key${letter.toUpperCase()}`);
  return places === keys ? [keys] : [keys, places];
}

/** Whether the key is a letter of another script, such as Cyrillic. */
function isOtherLetter({ key }: KeyboardEvent): boolean {
  return /^[^\p{Script=Latin}\0-~]+$/u.test(key);
}
