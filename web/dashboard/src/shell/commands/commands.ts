import {
  ArrowLeft,
  Bot,
  ChartNoAxesColumn,
  ChevronDown,
  ChevronUp,
  Contact,
  Download,
  FileText,
  FileUp,
  Gauge,
  Keyboard,
  KeyRound,
  LogOut,
  type LucideIcon,
  MessageSquareText,
  MessagesSquare,
  PenLine,
  Phone,
  Reply,
  ScrollText,
  Search,
  Store,
  Tags,
  UserRound,
  UserRoundPlus,
  Users,
  Webhook,
} from 'lucide-react';
import { commands as t } from '../../../../texts/commands.ts';
import { shell } from '../../../../texts/shell.ts';
import { download } from '../../api/download.ts';
import type { Right } from '../../rights.ts';
import type { useTenant } from '../../session.ts';

/** The parts of the shell that a command may use. */
export type ShellActions = {
  tenant: ReturnType<typeof useTenant>;
  openPalette(): void;
  openShortcuts(): void;
  signOut(): void;
};

export type Section = 'pages' | 'connect' | 'manage' | 'actions' | 'page' | 'general';

/** Something a person can do from everywhere. Navigation, palette, shortcuts and their list read the same list. */
export type Command = {
  id: string;
  words: string;
  icon: LucideIcon;
  section: Section;
  /** As tinykeys writes them: `g c` is one after the other, `$mod` is Ctrl or ⌘. */
  keys?: string;
  /** The right that a person needs for it. Without it, it is offered to everybody. */
  right?: Right;
  /** The page to open. */
  to?: string;
  run?: (shell: ShellActions) => void;
  /** The page does it, by `usePageCommand`. With `to`, that page is opened first. */
  isDoneByPage?: boolean;
  /** In the list of shortcuts, but not in the palette. */
  isKeyOnly?: boolean;
};

export const commands: readonly Command[] = [
  ...section('pages', [
    page('overview', '/t/$tenant', ChartNoAxesColumn, 'g o'),
    page('conversations', '/t/$tenant/conversations', MessagesSquare, 'g c'),
    page('messages', '/t/$tenant/messages', MessageSquareText, 'g e'),
    page('contacts', '/t/$tenant/contacts', Contact, 'g p'),
    page('labels', '/t/$tenant/labels', Tags, 'g l'),
    page('templates', '/t/$tenant/templates', FileText, 'g t'),
    page('bots', '/t/$tenant/bots', Bot, 'g b'),
  ]),
  ...section('connect', [
    page('api', '/t/$tenant/api', KeyRound, 'g a'),
    page('requests', '/t/$tenant/requests', ScrollText, 'g q'),
    page('numbers', '/t/$tenant/numbers', Phone, 'g n'),
    page('webhook', '/t/$tenant/webhook', Webhook, 'g w'),
    page('stores', '/t/$tenant/stores', Store, 'g s'),
  ]),
  ...section('manage', [
    page('usage', '/t/$tenant/usage', Gauge, 'g u'),
    page('members', '/t/$tenant/members', Users, 'g m'),
    { ...page('audit', '/t/$tenant/audit', PenLine, 'g d'), right: 'audit:read' },
  ]),
  ...section('actions', [
    {
      id: 'new-message',
      words: t('newMessage'),
      icon: PenLine,
      keys: 'n m',
      to: '/t/$tenant/conversations',
      isDoneByPage: true,
    },
    {
      id: 'new-contact',
      words: t('newContact'),
      icon: UserRoundPlus,
      keys: 'n p',
      to: '/t/$tenant/contacts',
      isDoneByPage: true,
    },
    {
      id: 'import-contacts',
      words: t('importContacts'),
      icon: FileUp,
      to: '/t/$tenant/contacts',
      isDoneByPage: true,
    },
    {
      id: 'export-contacts',
      words: t('exportContacts'),
      icon: Download,
      right: 'contacts:export',
      run: ({ tenant }) => download(tenant.api.address('/contacts/export')),
    },
    {
      id: 'invite-member',
      words: t('inviteMember'),
      icon: UserRoundPlus,
      right: 'members:write',
      to: '/t/$tenant/members',
      isDoneByPage: true,
    },
  ]),
  ...section('page', [
    {
      id: 'search-page',
      words: t('searchPage'),
      icon: Search,
      keys: '/',
      isKeyOnly: true,
      run: () => document.querySelector<HTMLElement>('#content input[type=search]')?.focus(),
    },
    onPage('next-conversation', t('nextConversation'), ChevronDown, 'j'),
    onPage('previous-conversation', t('previousConversation'), ChevronUp, 'k'),
    onPage('next-entry', t('nextEntry'), ChevronDown, 'ArrowDown'),
    onPage('previous-entry', t('previousEntry'), ChevronUp, 'ArrowUp'),
    onPage('reply', t('reply'), Reply, 'r'),
    onPage('close-conversation', t('toList'), ArrowLeft, 'Escape'),
  ]),
  ...section('general', [
    {
      id: 'palette',
      words: t('palette'),
      icon: Search,
      keys: '$mod+k',
      isKeyOnly: true,
      run: ({ openPalette }) => openPalette(),
    },
    {
      id: 'shortcuts',
      words: t('shortcuts'),
      icon: Keyboard,
      keys: '?',
      run: ({ openShortcuts }) => openShortcuts(),
    },
    { id: 'account', words: shell('account'), icon: UserRound, to: '/account' },
    { id: 'sign-out', words: shell('signOut'), icon: LogOut, run: ({ signOut }) => signOut() },
  ]),
];

type PageName = Parameters<typeof shell>[0] extends infer Key
  ? Key extends `nav.${infer Name}`
    ? Name
    : never
  : never;

function section(name: Section, entries: Omit<Command, 'section'>[]): Command[] {
  return entries.map((entry) => ({ ...entry, section: name }));
}

function page(id: PageName, to: string, icon: LucideIcon, keys: string) {
  return { id, words: shell(`nav.${id}`), icon, keys, to };
}

function onPage(id: string, words: string, icon: LucideIcon, keys: string) {
  return { id, words, icon, keys, isDoneByPage: true, isKeyOnly: true };
}
