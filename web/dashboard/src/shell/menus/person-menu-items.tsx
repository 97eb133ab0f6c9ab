import { Link } from '@tanstack/react-router';
import { Keyboard, LogOut, Monitor, Moon, Sun, UserRound } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import { useState } from 'react';
import { Menu } from '../../../../parts/overlays/menu.tsx';
import type { MenuProps } from '../../../../parts/overlays/menu-button.tsx';
import { menuItem } from '../../../../parts/overlays/menu-look.ts';
import { commands as commandTexts } from '../../../../texts/commands.ts';
import { shell } from '../../../../texts/shell.ts';
import { useSignOut } from '../../session.ts';
import { chooseTheme, chosenTheme, type Theme } from './theme.ts';

const themes = [
  { theme: 'system', label: shell('systemMode'), icon: Monitor },
  { theme: 'light', label: shell('lightMode'), icon: Sun },
  { theme: 'dark', label: shell('darkMode'), icon: Moon },
] as const;

/** The account, the appearance, the keyboard shortcuts, and the sign-out. */
export function PersonMenuItems({
  onOpenShortcuts,
  ...menu
}: MenuProps & { onOpenShortcuts: () => void }) {
  const signOut = useSignOut();
  const [theme, setTheme] = useState<Theme>(chosenTheme);
  return (
    <Menu {...menu} side="top">
      <DropdownMenu.Item asChild>
        <Link to="/account" className={menuItem}>
          <UserRound className="size-4 text-muted" aria-hidden />
          {shell('account')}
        </Link>
      </DropdownMenu.Item>
      <DropdownMenu.Item className={menuItem} onSelect={() => onOpenShortcuts()}>
        <Keyboard className="size-4 text-muted" aria-hidden />
        {commandTexts('shortcuts')}
      </DropdownMenu.Item>
      <DropdownMenu.Separator className="my-1 border-t border-line" />
      <DropdownMenu.Label className="px-2.5 py-1 text-xs text-muted">
        {shell('theme')}
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
        {shell('signOut')}
      </DropdownMenu.Item>
    </Menu>
  );
}
