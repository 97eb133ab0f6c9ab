import { Link } from '@tanstack/react-router';
import {
  Bot,
  ChartNoAxesColumn,
  Contact,
  FileText,
  Gauge,
  KeyRound,
  type LucideIcon,
  MessagesSquare,
  Phone,
  Store,
  Tags,
  Users,
  Webhook,
} from 'lucide-react';
import { shell } from '../../../texts/shell.ts';

type Entry = { to: string; label: string; icon: LucideIcon; exact?: boolean };

const { nav } = shell;
const groups: { heading?: string; entries: Entry[] }[] = [
  {
    entries: [
      { to: '/t/$tenant', label: nav.overview, icon: ChartNoAxesColumn, exact: true },
      { to: '/t/$tenant/conversations', label: nav.conversations, icon: MessagesSquare },
      { to: '/t/$tenant/contacts', label: nav.contacts, icon: Contact },
      { to: '/t/$tenant/labels', label: nav.labels, icon: Tags },
      { to: '/t/$tenant/templates', label: nav.templates, icon: FileText },
      { to: '/t/$tenant/bots', label: nav.bots, icon: Bot },
    ],
  },
  {
    heading: shell.connect,
    entries: [
      { to: '/t/$tenant/api', label: nav.api, icon: KeyRound },
      { to: '/t/$tenant/numbers', label: nav.numbers, icon: Phone },
      { to: '/t/$tenant/webhook', label: nav.webhook, icon: Webhook },
      { to: '/t/$tenant/stores', label: nav.stores, icon: Store },
    ],
  },
  {
    heading: shell.manage,
    entries: [
      { to: '/t/$tenant/usage', label: nav.usage, icon: Gauge },
      { to: '/t/$tenant/members', label: nav.members, icon: Users },
    ],
  },
];

export function Nav({ tenant, onFollow }: { tenant: string; onFollow?: () => void }) {
  return (
    <nav aria-label={shell.navigation} className="grid gap-4">
      {groups.map(({ heading, entries }) => (
        <div key={heading ?? 'first'}>
          {heading && (
            <p className="px-3 pb-1 text-xs font-medium tracking-wide text-muted">{heading}</p>
          )}
          <ul className="grid gap-0.5">
            {entries.map(({ to, label, icon: Icon, exact }) => (
              <li key={to}>
                <Link
                  to={to}
                  params={{ tenant }}
                  activeOptions={{ exact: exact ?? false, includeSearch: false }}
                  onClick={onFollow}
                  className="flex h-9 items-center gap-2.5 rounded-lg px-3 text-muted transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-strong"
                >
                  <Icon className="size-4.5" strokeWidth={1.8} aria-hidden />
                  {label}
                </Link>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
