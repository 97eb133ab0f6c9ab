import { Link } from '@tanstack/react-router';
import { shell } from '../../../texts/shell.ts';
import { useTenant } from '../session.ts';
import { commands, type Section } from './commands/commands.ts';
import { UnreadMark, unreadWordsId } from './unread-count.tsx';

const groups: { section: Section; heading?: string }[] = [
  { section: 'pages' },
  { section: 'connect', heading: shell('connect') },
  { section: 'manage', heading: shell('manage') },
];
const overview = '/t/$tenant';
const conversations = '/t/$tenant/conversations';

export function Nav({ onFollow }: { onFollow?: () => void }) {
  const { slug: tenant, can } = useTenant();
  return (
    <nav aria-label={shell('navigation')} className="grid gap-4">
      {groups.map(({ section, heading }) => (
        <div key={section}>
          {heading && (
            <p className="px-3 pb-1 text-xs font-medium tracking-wide text-muted">{heading}</p>
          )}
          <ul className="grid gap-0.5">
            {commands
              .filter((each) => each.section === section && (!each.right || can(each.right)))
              .map(({ to, words, icon: Icon }) => (
                <li key={to}>
                  <Link
                    to={to!}
                    params={{ tenant }}
                    activeOptions={{ exact: to === overview, includeSearch: false }}
                    onClick={onFollow}
                    aria-describedby={to === conversations ? unreadWordsId : undefined}
                    className="flex h-9 items-center gap-2.5 rounded-lg px-3 text-muted transition-colors hover:bg-sunken hover:text-ink aria-[current=page]:bg-accent-soft aria-[current=page]:font-medium aria-[current=page]:text-accent-strong"
                  >
                    <Icon className="size-4.5" strokeWidth={1.8} aria-hidden />
                    <span className="grow">{words}</span>
                    {to === conversations && <UnreadMark />}
                  </Link>
                </li>
              ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
