import { Check, ChevronDown, Mail, MailOpen } from 'lucide-react';
import { DropdownMenu } from 'radix-ui';
import type { ReactNode } from 'react';
import type { BusinessNumber } from '../../../../src/simulator/types.ts';
import { IconButton } from '../../../parts/buttons/button.tsx';
import { menuItem, menuPanel } from '../../../parts/overlays/menu-look.ts';
import { showProblem } from '../../../parts/overlays/toasts.ts';
import { phone as t } from '../../../texts/phone.ts';
import { addressOf, listAddress } from '../address.ts';
import { Avatar } from '../avatar.tsx';
import { readChat } from '../network.ts';
import { markUnread } from '../settings.ts';
import { useStore } from '../store.ts';
import { unreadIn } from './chats.ts';

/** The business at the other side of the chat, and a switch to the others on the network. */
export function ChatHeader({
  phone,
  number,
  isOn,
  unread,
}: {
  phone: string;
  number: BusinessNumber;
  isOn: boolean;
  unread: number;
}) {
  const { numbers } = useStore();
  const business = number.verified_name || t('unknownBusiness');
  const title = (
    <span className="flex min-w-0 items-center gap-3 text-left">
      <Avatar name={business} seed={number.phone_number_id} />
      <span className="min-w-0">
        <span dir="auto" className="block truncate font-semibold">
          {business}
        </span>
        <span className="figures block truncate text-sm text-muted">
          {t('business', { number: number.display_phone_number })}
        </span>
      </span>
    </span>
  );
  const isMarkable = unread === 0;
  return (
    <div className="flex min-h-16 items-center gap-2 border-b border-line bg-surface py-2 pl-3 pr-3 md:pl-5">
      <div className="min-w-0 grow">
        {numbers.size > 1 ? <Businesses phone={phone} current={number} title={title} /> : title}
      </div>
      <IconButton
        label={isMarkable ? t('markUnread') : t('markRead')}
        // A phone that is off reads nothing.
        disabled={!isMarkable && !isOn}
        onClick={() => {
          if (isMarkable) {
            markUnread(phone, true);
            location.hash = listAddress;
          } else {
            readChat(phone, number.phone_number_id).catch(showProblem);
          }
        }}
      >
        {isMarkable ? (
          <Mail className="size-5" aria-hidden />
        ) : (
          <MailOpen className="size-5" aria-hidden />
        )}
      </IconButton>
    </div>
  );
}

function Businesses({
  phone,
  current,
  title,
}: {
  phone: string;
  current: BusinessNumber;
  title: ReactNode;
}) {
  const { numbers, chats } = useStore();
  return (
    <DropdownMenu.Root modal={false}>
      <DropdownMenu.Trigger className="flex max-w-full items-center gap-2 rounded-lg pr-2 hover:bg-sunken">
        {title}
        <ChevronDown className="size-4 shrink-0 text-muted" aria-hidden />
      </DropdownMenu.Trigger>
      <DropdownMenu.Portal>
        <DropdownMenu.Content
          aria-label={t('businesses')}
          align="start"
          sideOffset={6}
          collisionPadding={8}
          className={menuPanel}
        >
          {[...numbers.values()].map((each) => {
            const unread = unreadIn(chats.get(each.phone_number_id)).length;
            return (
              <DropdownMenu.Item
                key={each.phone_number_id}
                className={`${menuItem} h-auto py-1.5`}
                onSelect={() => {
                  location.hash = addressOf(phone, each.phone_number_id);
                }}
              >
                <span className="min-w-0 grow">
                  <span dir="auto" className="block truncate">
                    {each.verified_name || t('unknownBusiness')}
                  </span>
                  <span className="figures block text-sm text-muted">
                    {each.display_phone_number}
                  </span>
                </span>
                {unread > 0 && (
                  <span className="text-sm text-accent">{t('unread', { count: unread })}</span>
                )}
                {each === current && <Check className="size-4 text-accent" aria-hidden />}
              </DropdownMenu.Item>
            );
          })}
        </DropdownMenu.Content>
      </DropdownMenu.Portal>
    </DropdownMenu.Root>
  );
}
