import { Link } from '@tanstack/react-router';
import { Check } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { Menu } from '../../../../parts/overlays/menu.tsx';
import type { MenuProps } from '../../../../parts/overlays/menu-button.tsx';
import { menuItem } from '../../../../parts/overlays/menu-look.ts';
import { useSession, useTenant } from '../../session.ts';

/** The tenants of a person. */
export function TenantMenuItems({ onFollow, ...menu }: MenuProps & { onFollow?: () => void }) {
  const { tenants } = useSession();
  const { slug } = useTenant();
  return (
    <Menu {...menu}>
      {tenants.map((each) => (
        <DropdownMenu.Item key={each.slug} asChild>
          <Link
            to="/t/$tenant"
            params={{ tenant: each.slug }}
            onClick={onFollow}
            className={menuItem}
          >
            <span dir="auto" className="min-w-0 grow truncate">
              {each.name}
            </span>
            {each.slug === slug && <Check className="size-4 text-accent" aria-hidden />}
          </Link>
        </DropdownMenu.Item>
      ))}
    </Menu>
  );
}
