import { useEffect, useRef, useState } from 'react';
import { isComposing } from '../../parts/fields/send-key.ts';
import { showProblem } from '../../parts/overlays/toasts.ts';
import { phone as t } from '../../texts/phone.ts';
import { addressOf, listAddress, replaceAddress, useAddress } from './address.ts';
import { Chat } from './chat/chat.tsx';
import { latestNumber } from './chat/chats.ts';
import { Nothing } from './nothing.tsx';
import { Behaviour } from './phones/behaviour.tsx';
import { Phones } from './phones/phones.tsx';
import { StatusBar } from './phones/status-bar.tsx';
import { openPhone, type State, useStore } from './store.ts';

const narrow = matchMedia('(width < 48rem)');

/** The phones at the left, the open one at the right; on a narrow screen either. */
export function App() {
  const address = useAddress();
  const state = useStore();
  const [isTuning, setIsTuning] = useState(false);
  const main = useRef<HTMLElement>(null);
  const phone = address.phone === null ? undefined : state.phones.get(address.phone);
  const number = address.numberId === null ? undefined : state.numbers.get(address.numberId);
  const isKnown = phone !== undefined;
  useTitleWithUnread(state);
  useChosenNumber(address.phone, number !== undefined, state);

  // Also when a phone that the address names appears later.
  // biome-ignore lint/correctness/useExhaustiveDependencies: see above
  useEffect(() => {
    openPhone(address.phone).catch(showProblem);
  }, [address.phone, isKnown]);

  // An open dialog or menu has already handled the key.
  useEffect(() => {
    const leave = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.defaultPrevented || isComposing(event)) return;
      if (isTuning) setIsTuning(false);
      else if (narrow.matches) location.hash = listAddress;
    };
    document.addEventListener('keydown', leave);
    return () => document.removeEventListener('keydown', leave);
  }, [isTuning]);

  return (
    <>
      <header className="sr-only">
        <h1>{t('heading')}</h1>
      </header>
      <button
        type="button"
        className="absolute -top-20 left-3 z-30 rounded-lg bg-accent px-4 py-2 text-on-accent focus:top-3"
        onClick={() => main.current?.focus()}
      >
        {t('skip')}
      </button>
      <div className="flex h-dvh">
        <Phones openPhone={address.phone} />
        <main
          ref={main}
          tabIndex={-1}
          className={`paper min-w-0 grow flex-col outline-none ${address.phone ? 'flex' : 'hidden md:flex'}`}
        >
          {phone ? (
            <>
              <StatusBar phone={phone} isTuning={isTuning} onTune={() => setIsTuning(!isTuning)} />
              {number && state.phone === phone.phone ? (
                <Chat
                  key={`${phone.phone}:${number.phone_number_id}`}
                  phone={phone}
                  number={number}
                />
              ) : (
                state.numbers.size === 0 && (
                  <Nothing title={t('noNumberTitle')}>{t('noNumberText')}</Nothing>
                )
              )}
            </>
          ) : (
            state.isLoaded && (
              <Nothing title={t('chooseTitle')} isMissing={address.phone !== null}>
                {address.phone === null
                  ? t('chooseText')
                  : t('unknownPhone', { phone: address.phone })}
              </Nothing>
            )
          )}
        </main>
        {isTuning && phone && (
          <Behaviour
            key={`${phone.phone}:${number?.phone_number_id}`}
            phone={phone}
            number={number}
            onClose={() => setIsTuning(false)}
          />
        )}
      </div>
    </>
  );
}

/** Counts in the title of the tab, so that news are seen from another tab. */
function useTitleWithUnread({ phones }: State): void {
  let unread = 0;
  for (const phone of phones.values()) unread += phone.unread;
  useEffect(() => {
    document.title = unread > 0 ? t('titleWithUnread', { unread }) : t('title');
  }, [unread]);
}

/** Opens the chat with the latest message if the address names only the phone. */
function useChosenNumber(phone: string | null, isChosen: boolean, state: State): void {
  const { chats, hasChats, numbers } = state;
  useEffect(() => {
    if (!phone || isChosen || state.phone !== phone) return;
    const [first] = numbers.keys();
    const found = latestNumber(chats.values()) ?? (hasChats ? first : undefined);
    if (found && numbers.has(found)) replaceAddress(addressOf(phone, found));
  }, [phone, isChosen, state.phone, chats, hasChats, numbers]);
}
