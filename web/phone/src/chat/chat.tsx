import { useMemo, useRef, useState } from 'react';
import type { BusinessNumber, ChatMessage, PhoneSummary } from '../../../../src/simulator/types.ts';
import { elementIdOf } from '../../../message/bubble.tsx';
import { MessageList } from '../../../message/list/message-list.tsx';
import { NewBelow } from '../../../message/list/new-below.tsx';
import { usePlace } from '../../../message/list/use-place.ts';
import type { MessageHandlers } from '../../../message/message-handlers.ts';
import { MessageTools } from '../../../message/message-tools.tsx';
import { oneLine } from '../../../message/one-line.ts';
import { showProblem } from '../../../parts/overlays/toasts.ts';
import { phone as t } from '../../../texts/phone.ts';
import { Composer } from '../composing/composer.tsx';
import { formReply, formTokenOf, replyTo } from '../composing/reply-to.ts';
import { playMessage, sendMessage } from '../network.ts';
import { useStore } from '../store.ts';
import { ChatHeader } from './chat-header.tsx';
import { unreadIn, waitingOf } from './chats.ts';
import { FillForm } from './fill-form.tsx';
import { viewsOf } from './message-view.ts';
import { TypingDots } from './typing-dots.tsx';
import { useReading } from './use-reading.ts';
import { useScrolling } from './use-scrolling.ts';

/** The conversation of a phone with one business. */
export function Chat({ phone, number }: { phone: PhoneSummary; number: BusinessNumber }) {
  const { chats, hasChats, typing } = useStore();
  const { phone_number_id: numberId, verified_name: business } = number;
  const chat = chats.get(numberId);
  const unread = unreadIn(chat);
  const messages = chat?.messages;
  const views = useMemo(() => viewsOf(messages ?? [], business), [messages, business]);
  const [quotedId, setQuotedId] = useState<string>();
  const quoted = views.find(({ id }) => id === quotedId);
  const pane = useRef<HTMLDivElement>(null);
  useReading(pane, { phone: phone.phone, numberId, isOn: phone.on, unread });
  const times = [views[0], views.at(-1)].map((view) => view && Date.parse(view.at));
  const { log, content, onScroll, toEnd, hasNew } = usePlace(times[0], times[1]);
  const scrolling = useScrolling();
  const [form, setForm] = useState<{ message: ChatMessage; token: string }>();
  const handlers = useHandlers({
    phone,
    numberId,
    messages,
    onReply: setQuotedId,
    onForm: setForm,
  });

  return (
    <div ref={pane} className="flex min-h-0 grow flex-col">
      <ChatHeader phone={phone.phone} number={number} isOn={phone.on} unread={unread.length} />
      <div
        ref={log}
        id="conversation"
        role="log"
        aria-label={t('messages')}
        // It scrolls, so a keyboard must reach it.
        // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
        tabIndex={0}
        onPlayCapture={({ target }) => {
          const id = (target as Element).closest('article')?.id;
          const played = messages?.find(({ wamid }) => elementIdOf(wamid) === id);
          if (played?.direction === 'outbound') {
            playMessage(phone.phone, played.wamid).catch(showProblem);
          }
        }}
        onScroll={() => {
          onScroll();
          scrolling.note();
        }}
        data-scrolling={scrolling.isScrolling || undefined}
        className="min-h-0 grow overflow-y-auto overscroll-contain px-3 py-4 focus-visible:-outline-offset-2 md:px-[max(1.25rem,calc((100%-52rem)/2))]"
      >
        <div ref={content} className="flex min-h-full flex-col justify-end">
          <div className="grid grid-cols-1 gap-2">
            {hasChats && views.length === 0 && (
              <p className="my-2 justify-self-center rounded-full bg-accent-soft px-3 py-0.5 text-sm">
                {t('noMessages')}
              </p>
            )}
            <MessageList views={views} handlers={handlers} floatingDays />
            {typing.has(numberId) && phone.on && <TypingDots name={business} />}
          </div>
        </div>
      </div>
      {hasNew && <NewBelow label={t('newBelow')} toEnd={toEnd} log={log} />}
      {phone.on ? (
        <Composer
          phone={phone}
          numberId={numberId}
          quoted={quoted && { id: quoted.id, text: oneLine(quoted) }}
          onQuoteEnd={() => setQuotedId(undefined)}
          onSend={toEnd}
        />
      ) : (
        <p role="status" className="border-t border-line bg-surface p-5 text-center text-muted">
          {t('offWaiting', { count: waitingOf(chat) })}
        </p>
      )}
      {form && (
        <FillForm
          token={form.token}
          onFilled={(answers) => send(phone.phone, numberId, formReply(form.message, answers))}
          onClose={() => setForm(undefined)}
        />
      )}
    </div>
  );
}

function send(...message: Parameters<typeof sendMessage>): void {
  sendMessage(...message).catch(showProblem);
}

/** Returns the actions of the phone's owner on messages. A phone that is off has none. */
function useHandlers({
  phone: { phone, on },
  numberId,
  messages,
  onReply,
  onForm,
}: {
  phone: PhoneSummary;
  numberId: string;
  messages: ChatMessage[] | undefined;
  onReply: (messageId: string) => void;
  onForm: (form: { message: ChatMessage; token: string }) => void;
}): MessageHandlers {
  const known = useRef(messages);
  known.current = messages;
  return useMemo(() => {
    if (!on) return {};
    return {
      onChoose: (messageId, key) => {
        const message = known.current?.find(({ wamid }) => wamid === messageId);
        if (!message) return;
        const token = formTokenOf(message, key);
        if (token === undefined) send(phone, numberId, replyTo(message, key));
        else onForm({ message, token });
      },
      onReact: (messageId, emoji) =>
        send(phone, numberId, { type: 'reaction', reaction: { message_id: messageId, emoji } }),
      onReply,
      Tools: MessageTools,
    };
  }, [phone, on, numberId, onReply, onForm]);
}
