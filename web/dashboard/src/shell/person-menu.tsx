import { Link } from '@tanstack/react-router';
import { ChevronsUpDown, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { menuItem, menuPanel } from '../../../parts/menu-look.ts';
import { shell } from '../../../texts/shell.ts';
import { useSession, useSignOut } from '../session.ts';
import { initialOf } from './initial.ts';
import { chooseTheme, chosenTheme, type Theme } from './theme.ts';

const themes = [
  { theme: 'system', label: shell.systemMode, icon: Monitor },
  { theme: 'light', label: shell.lightMode, icon: Sun },
  { theme: 'dark', label: shell.darkMode, icon: Moon },
] as const;

/** Who one is, how it looks, and the way out. */
export function PersonMenu() {
  const { name, email } = useSession();
  const signOut = useSignOut();
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="flex w-full items-center gap-2.5 rounded-lg px-2 py-1.5 hover:bg-sunken">
        <span className="sr-only">{shell.account}</span>
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
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          align="start"
          side="top"
          sideOffset={4}
          collisionPadding={8}
          className={menuPanel}
        >
          <DropdownMenu.Item asChild>
            <Link to="/account" className={menuItem}>
              <UserRound className="size-4 text-muted" aria-hidden />
              {shell.account}
            </Link>
          </DropdownMenu.Item>
          <DropdownMenu.Separator className="my-1 border-t border-line" />
          <DropdownMenu.Label className="px-2.5 py-1 text-xs text-muted">
            {shell.theme}
          </DropdownMenu.Label>
          <DropdownMenu.RadioGroup
            value={theme}
            onValueChange={(value) => {
              setTheme(value as Theme);
              chooseTheme(value as Theme);
            }}
          >
            {themes.map(({ theme: value, label, icon: Icon }) => (
              <DropdownMenu.RadioItem key={value} value={value} className={menuItem}>
                <Icon className="size-4 text-muted" aria-hidden />
                <span className="grow">{label}</span>
                <DropdownMenu.ItemIndicator className="size-2 rounded-full bg-accent forced-color-adjust-none" />
              </DropdownMenu.RadioItem>
            ))}
          </DropdownMenu.RadioGroup>
          <DropdownMenu.Separator className="my-1 border-t border-line" />
          <DropdownMenu.Item className={menuItem} onSelect={() => signOut()}>
            <LogOut className="size-4 text-muted" aria-hidden />
            {shell.signOut}
          </DropdownMenu.Item>
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
