import { ChevronsUpDown } from 'lucide-react';
import { MenuButton } from '../../../../parts/overlays/menu-button.tsx';
import { shell } from '../../../../texts/shell.ts';
import { useSession } from '../../session.ts';
import { useOpenCommands } from '../commands/command-center.tsx';
import { initialOf } from './initial.ts';

const loadItems = () => import('./person-menu-items.tsx');

/** The menu of the person: account, appearance, sign-out. */
export function PersonMenu() {
  const { name, email } = useSession();
  const open = useOpenCommands();
  return (
    <MenuButton
      load={loadItems}
      menu={({ PersonMenuItems }, props) => (
        <PersonMenuItems {...props} onOpenShortcuts={() => open('shortcuts')} />
      )}
    >
      {(button) => (
        <button
          type="button"
          {...button}
          className="flex w-full items-center gap-2.5 rounded-lg px-2 py-1.5 hover:bg-sunken"
        >
          <span className="sr-only">{shell('account')}</span>
          <span
            aria-hidden
            className="grid size-8 shrink-0 place-items-center rounded-full bg-sunken text-sm font-medium text-muted"
          >
            {initialOf(name)}
          </span>
          <span className="min-w-0 grow text-left">
            <span dir="auto" className="block truncate leading-tight">
              {name}
            </span>
            <span className="block truncate text-xs text-muted">{email}</span>
          </span>
          <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
        </button>
      )}
    </MenuButton>
  );
}
