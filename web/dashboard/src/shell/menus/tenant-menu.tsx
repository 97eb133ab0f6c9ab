import { ChevronsUpDown } from 'lucide-react';
import { MenuButton } from '../../../../parts/overlays/menu-button.tsx';
import { shell } from '../../../../texts/shell.ts';
import { useSession, useTenant } from '../../session.ts';
import { initialOf } from './initial.ts';

const loadItems = () => import('./tenant-menu-items.tsx');

/** The name of the tenant that is shown; a menu if the person belongs to several. */
export function TenantMenu({ onFollow }: { onFollow?: () => void }) {
  const { tenants } = useSession();
  const { slug, name } = useTenant();
  const mark = (
    <span
      aria-hidden
      className="grid size-8 shrink-0 place-items-center rounded-lg bg-accent text-sm font-semibold text-on-accent"
    >
      {initialOf(name)}
    </span>
  );
  const title = (
    <span className="min-w-0 grow text-left">
      <span dir="auto" className="block truncate font-semibold leading-tight">
        {name}
      </span>
      {slug !== name && <span className="block truncate text-xs text-muted">{slug}</span>}
    </span>
  );
  if (tenants.length < 2) {
    return (
      <div className="flex items-center gap-2.5 px-2 py-1.5">
        {mark}
        {title}
      </div>
    );
  }
  return (
    <MenuButton
      load={loadItems}
      menu={({ TenantMenuItems }, props) => <TenantMenuItems {...props} onFollow={onFollow} />}
    >
      {(button) => (
        <button
          type="button"
          {...button}
          className="flex w-full items-center gap-2.5 rounded-lg px-2 py-1.5 hover:bg-sunken"
        >
          <span className="sr-only">{shell('switchTenant')}</span>
          {mark}
          {title}
          <ChevronsUpDown className="size-4 shrink-0 text-muted" aria-hidden />
        </button>
      )}
    </MenuButton>
  );
}
