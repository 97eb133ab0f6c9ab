import { Search } from 'lucide-react';
import { createContext, type ReactNode, useContext, useState } from 'react';
import { useLoaded } from '../../../../parts/behaviour/use-loaded.ts';
import { IconButton } from '../../../../parts/buttons/button.tsx';
import { commands as t } from '../../../../texts/commands.ts';
import { common } from '../../../../texts/common.ts';
import { useSignOut } from '../../session.ts';
import { KeyNames } from './key-names.tsx';
import { ariaKeys } from './shortcut-keys.ts';
import { useCommands } from './use-commands.ts';
import { useKeys } from './use-keys.ts';
import { useTypedAhead } from './use-typed-ahead.ts';

type Open = (what: 'palette' | 'shortcuts') => void;
const OpenContext = createContext<Open>(() => {});

const loadPalette = () => import('./palette.tsx');
const loadShortcuts = () => import('./shortcuts.tsx');

/** Runs commands by their keys, and shows the palette and the list of shortcuts. */
export function CommandCenter({ children }: { children: ReactNode }) {
  const [opened, setOpened] = useState<'palette' | 'shortcuts'>();
  const { loaded: palette, load: startPalette } = useLoaded(loadPalette);
  const { loaded: shortcuts, load: startShortcuts } = useLoaded(loadShortcuts);
  const signOut = useSignOut();
  const close = () => setOpened(undefined);
  const open: Open = (what) => {
    setOpened(what);
    if (what === 'palette') startPalette(close);
    else startShortcuts(close);
  };
  const isPaletteAwaited = opened === 'palette' && !palette;
  const typed = useTypedAhead(isPaletteAwaited, close);
  const { commands, run } = useCommands({
    openPalette: () => open('palette'),
    openShortcuts: () => open('shortcuts'),
    signOut: () => void signOut(),
  });
  useKeys(run);
  return (
    <OpenContext value={open}>
      {children}
      {isPaletteAwaited && (
        <p
          role="status"
          className="rise fixed inset-x-3 top-[12dvh] z-50 mx-auto flex max-w-xl justify-between gap-3 rounded-2xl border border-line bg-raised p-3 text-muted shadow-pop"
        >
          {/* A screen reader says each letter as it is typed. */}
          <span aria-hidden className="text-ink wrap-anywhere">
            {typed}
          </span>
          {common('loading')}
        </p>
      )}
      {opened === 'palette' && palette && (
        <palette.Palette commands={commands} typedAhead={typed} onRun={run} onClose={close} />
      )}
      {opened === 'shortcuts' && shortcuts && (
        <shortcuts.Shortcuts commands={commands} onClose={close} />
      )}
    </OpenContext>
  );
}

/** Returns the function that opens the palette or the list of shortcuts. */
export function useOpenCommands(): Open {
  return useContext(OpenContext);
}

const paletteKeys = '$mod+k';

/** The button that opens the palette, for a person who does not know its keys. */
export function PaletteButton({
  isNarrow = false,
  onOpen,
}: {
  isNarrow?: boolean;
  onOpen?: () => void;
}) {
  const open = useOpenCommands();
  const press = () => {
    onOpen?.();
    open('palette');
  };
  if (isNarrow) {
    return (
      <IconButton label={t('palette')} onClick={press} className="ms-auto">
        <Search className="size-5" aria-hidden />
      </IconButton>
    );
  }
  return (
    <div className="relative">
      <button
        type="button"
        aria-label={t('palette')}
        aria-keyshortcuts={ariaKeys(paletteKeys)}
        onClick={press}
        className="flex h-9 w-full items-center gap-2.5 rounded-lg border border-line bg-surface pe-24 ps-3 text-start text-muted hover:text-ink"
      >
        <Search className="size-4 shrink-0" aria-hidden />
        <span className="grow truncate">{common('search')}</span>
      </button>
      {/* Beside the button, because they are not part of its name. */}
      <span
        aria-hidden
        className="pointer-events-none absolute inset-y-0 end-3 flex items-center text-muted"
      >
        <KeyNames keys={paletteKeys} />
      </span>
    </div>
  );
}
