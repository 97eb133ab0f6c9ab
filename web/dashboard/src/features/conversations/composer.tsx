import { FileText, Phone, SendHorizontal } from 'lucide-react';
import { type KeyboardEvent, Suspense, useRef, useState } from 'react';
import { Button } from '../../../../parts/button.tsx';
import { inputLook } from '../../../../parts/field.tsx';
import { conversations as t } from '../../../../texts/conversations.ts';
import { formatDateTime } from '../../../../texts/format.ts';
import type { ThreadData } from '../../api/records.ts';
import { useAction } from '../../api/use-action.ts';
import { useTenant } from '../../session.ts';
import { lazyPart } from '../../shell/lazy-part.ts';
import { usePageCommand } from '../../shell/page-commands.ts';
import { canWriteTo, recipientOf } from './identity.ts';
import { outboxOf } from './outbox.ts';
import { useDraft, useDraftKey } from './use-draft.ts';
import { useRefresh } from './use-live.tsx';
import { useSender } from './use-sender.ts';

const SenderSelect = lazyPart(() => import('./sender-select.tsx'), 'SenderSelect');
const loadSendTemplate = () => import('./send-template.tsx');
const SendTemplate = lazyPart(loadSendTemplate, 'SendTemplate');
const AskForPhone = lazyPart(() => import('./ask-for-phone.tsx'), 'AskForPhone');
// A failure is shown when the dialog is opened.
const preloadSendTemplate = () => void loadSendTemplate().catch(() => {});

/** Free text while the 24-hour window of the number is open; a template at any time. */
export function Composer({ thread, onSent }: { thread: ThreadData; onSent: () => void }) {
  const { api } = useTenant();
  const { phone } = thread;
  const { sender, numbers, chooseSender } = useSender(thread);
  const windowUntil =
    thread.windows.find(({ number_id }) => number_id === sender?.id)?.window_until ?? null;
  const [text, setText] = useDraft(phone);
  const [choosing, setChoosing] = useState(false);
  const [asking, setAsking] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  const isOpen = windowUntil !== null && new Date(windowUntil) > new Date();
  const outbox = outboxOf(useDraftKey(phone));
  const send = useAction(
    () =>
      outbox.send(
        ({ text, from, key }) => {
          const to = { phone_number: recipientOf(phone), from };
          const body = { ...to, type: 'text' as const, message: text };
          return api.once('/messages/send', key, { body });
        },
        (back) => setText((since) => [...back, since].filter(Boolean).join('\n')),
      ),
    { refresh: useRefresh(phone), onDone: onSent },
  );

  usePageCommand('reply', () => field.current?.focus());

  /** The next one can be written, and sent, while this one is on its way. */
  function sendText() {
    if (!text.trim()) return;
    setText('');
    if (outbox.add(text, sender?.phone_number_id)) send.run();
  }

  function sendOnEnter(event: KeyboardEvent) {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
    event.preventDefault();
    sendText();
  }

  if (!canWriteTo(phone)) {
    return <p className="border-t border-line px-5 py-4 text-muted">{t('unknownSender')}</p>;
  }
  const chooseTemplate = (
    <Button onPointerEnter={preloadSendTemplate} onClick={() => setChoosing(true)}>
      <FileText className="size-4" aria-hidden />
      {t('sendTemplate')}
    </Button>
  );
  return (
    <footer className="print:hidden border-t border-line bg-surface px-3 py-3 lg:px-5">
      {numbers.length > 1 && sender && (
        <Suspense fallback={null}>
          <SenderSelect numbers={numbers} sender={sender} onChange={chooseSender} />
        </Suspense>
      )}
      {isOpen ? (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            sendText();
          }}
        >
          <textarea
            ref={field}
            dir="auto"
            aria-label={t('message')}
            placeholder={t('placeholder')}
            rows={2}
            maxLength={4096}
            value={text}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={sendOnEnter}
            className={`${inputLook} resize-none`}
          />
          <div className="mt-2 flex flex-wrap items-center justify-between gap-2">
            <p className="text-xs text-muted">
              {t('windowOpen', { until: formatDateTime(windowUntil) })}
            </p>
            <div className="flex flex-wrap gap-2">
              {!phone.startsWith('+') && (
                <Button onClick={() => setAsking(true)}>
                  <Phone className="size-4" aria-hidden />
                  {t('askForPhone')}
                </Button>
              )}
              {chooseTemplate}
              <Button type="submit" look="primary" aria-busy={send.busy} disabled={!text.trim()}>
                <SendHorizontal className="size-4" aria-hidden />
                {t('send')}
              </Button>
            </div>
          </div>
        </form>
      ) : (
        <div className="flex flex-wrap items-center justify-between gap-3">
          <p className="max-w-lg text-sm text-muted">
            {numbers.length > 1 ? t('windowClosedHere') : t('windowClosed')}
          </p>
          {chooseTemplate}
        </div>
      )}
      {choosing && (
        <Suspense fallback={null}>
          <SendTemplate
            phone={phone}
            from={numbers.length > 1 ? sender : undefined}
            onSent={onSent}
            onClose={() => setChoosing(false)}
          />
        </Suspense>
      )}
      {asking && (
        <Suspense fallback={null}>
          <AskForPhone
            phone={phone}
            from={numbers.length > 1 ? sender : undefined}
            onSent={onSent}
            onClose={() => setAsking(false)}
          />
        </Suspense>
      )}
    </footer>
  );
}
