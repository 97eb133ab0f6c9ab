import { keyNames } from './shortcut-keys.ts';

/** The keys of a command, drawn as keys. */
export function KeyNames({ keys }: { keys: string }) {
  return (
    <span dir="ltr" className="flex shrink-0 gap-1">
      {keyNames(keys).map((name) => (
        <kbd
          key={name}
          className="min-w-6 rounded border border-line bg-sunken px-1.5 text-center font-sans text-xs leading-5 text-muted"
        >
          {name}
        </kbd>
      ))}
    </span>
  );
}
