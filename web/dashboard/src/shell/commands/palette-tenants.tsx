import { useNavigate } from '@tanstack/react-router';
import { ArrowLeftRight } from 'lucide-react';
import { Found, FoundGroup } from '../../../../parts/fields/found.tsx';
import { shell } from '../../../../texts/shell.ts';
import { useSession, useTenant } from '../../session.ts';

/** The person's other tenants. */
export function PaletteTenants({ onClose }: { onClose: () => void }) {
  const { tenants } = useSession();
  const { slug } = useTenant();
  const navigate = useNavigate();
  const others = tenants.filter((each) => each.slug !== slug);
  if (others.length === 0) return null;
  return (
    <FoundGroup heading={shell('switchTenant')}>
      {others.map(({ slug: tenant, name }) => (
        <Found
          key={tenant}
          value={`tenant ${tenant}`}
          words={name}
          before={<ArrowLeftRight className="size-4 shrink-0 text-muted" aria-hidden />}
          onChoose={() => {
            onClose();
            void navigate({ to: '/t/$tenant', params: { tenant } });
          }}
        />
      ))}
    </FoundGroup>
  );
}
