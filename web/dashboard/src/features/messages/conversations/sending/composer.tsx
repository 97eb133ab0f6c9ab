import { FileText, Phone, SendHorizontal } from 'lucide-react';
import { Suspense, useRef, useState } from 'react';
import { loadWhenIdle } from '../../../../../../parts/behaviour/load-when-idle.ts';
import { useIsAhead } from '../../../../../../parts/behaviour/use-is-ahead.ts';
import { Button } from '../../../../../../parts/buttons/button.tsx';
import { inputLook } from '../../../../../../parts/fields/field.tsx';
import { isSendKey, sendKeyHint } from '../../../../../../parts/fields/send-key.ts';
import { conversations as t } from '../../../../../../texts/conversations.ts';
import { formatDateTime } from '../../../../../../texts/format.ts';
import { LoadProblem } from '../../../../api/load-problem.tsx';
import type { ThreadData } from '../../../../api/records.ts';
import { tooLong } from '../../../../form/too-long.ts';
import { usePageCommand } from '../../../../shell/commands/page-commands.ts';
import { lazyPart } from '../../../../shell/loading/lazy-part.tsx';
import { shrinkPhotos } from '../../../media/shrink-photos.ts';
import { canWriteTo, recipientOf } from '../identity.ts';
import { AttachFiles } from './attach-files.tsx';
import { NoNumber } from './no-number.tsx';
import { SenderSelect } from './sender-select.tsx';
import { useOutbox } from './use-outbox.ts';
import { useSender } from './use-sender.ts';

const loadSendTemplate = () => import('./send-template.tsx');
const SendTemplate = lazyPart(loadSendTemplate, 'SendTemplate');
const loadSendFiles = () => import('./send-files.tsx');
const SendFiles = lazyPart(loadSendFiles, 'SendFiles');
const AskForPhone = lazyPart(() => import('./ask-for-phone.tsx'), 'AskForPhone');
/** So that they open also when the network is lost. */
const useDialogs = loadWhenIdle(() => Promise.all([loadSendTemplate(), loadSendFiles()]));

const maxText = 4_096;

/** Free text while the 24-hour window of the number is open; a template at any time. */
export function Composer({
  thread,
  isPhoneHidden,
  onSent,
}: {
  thread: ThreadData;
  isPhoneHidden: boolean;
  onSent: () => void;
}) {
  const { phone } = thread;
  const { sender, numbers, isKnown, error, isMissing, windowUntil, chooseSender } =
    useSender(thread);
  const { text, setText, busy, send } = useOutbox(thread, sender?.phone_number_id, onSent);
  const isOpen = useIsAhead(windowUntil);
  const [isWriting, setWriting] = useState(false);
  const [files, setFiles] = useState<File[]>();
  const [choosing, setChoosing] = useState(false);
  const [asking, setAsking] = useState(false);
  const field = useRef<HTMLTextAreaElement>(null);
  // If the window ends meanwhile, the text can still be copied, and the next keys are no commands.
  const hasField = isOpen || isWriting || text !== '';
  const problem = tooLong(text, maxText);

  useDialogs();
  usePageCommand('reply', () => field.current?.focus());

  function sendText() {
    if (isOpen && !problem) send();
  }

  if (!canWriteTo(phone)) {
    return <p className="border-t border-line px-5 py-4 text-muted">{t('unknownSender')}</p>;
  }
  if (isMissing) return <NoNumber />;
  return (
    <footer className="print:hidden border-t border-line bg-surface px-3 py-3 lg:px-5">
      {error && (
        <div className="mb-3">
          <LoadProblem error={error} />
        </div>
      )}
      <SenderSelect
        numbers={isKnown ? numbers : undefined}
        sender={sender}
        onChange={chooseSender}
      />
      {/* On a narrow screen in one row, because a keyboard takes half of its height. */}
      <form
        className="max-sm:flex max-sm:flex-wrap max-sm:items-end max-sm:gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          // The button is disabled once the field is empty, and the next keys are the next message.
          field.current?.focus();
          sendText();
        }}
      >
        {hasField && (
          <textarea
            ref={field}
            dir="auto"
            aria-label={t('message')}
            placeholder={t('placeholder')}
            rows={2}
            aria-invalid={problem !== undefined}
            value={text}
            readOnly={!isOpen}
            enterKeyHint={sendKeyHint()}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={(event) => {
              if (!isSendKey(event)) return;
              event.preventDefault();
              sendText();
            }}
            onFocus={() => setWriting(true)}
            onBlur={() => setWriting(false)}
            className={`${inputLook} field-sizing-content block max-h-32 min-h-9 resize-none read-only:bg-sunken max-sm:w-0 max-sm:grow sm:mb-2 sm:min-h-14`}
          />
        )}
        {problem && (
          <p role="status" className="-order-1 mb-2 basis-full text-sm text-bad">
            {problem}
          </p>
        )}
        <div
          className={`flex flex-wrap items-center justify-between gap-x-3 gap-y-2 ${isOpen ? '' : 'basis-full'}`}
        >
          {isOpen && (
            <p className="min-w-0 text-xs text-muted max-sm:sr-only">
              {t('windowOpen', { until: formatDateTime(windowUntil!) })}
            </p>
          )}
          {/* Announced only when the window ends, not when a message moves its end. */}
          <p
            role="status"
            className="min-w-0 max-w-lg grow basis-60 text-sm text-muted empty:sr-only"
          >
            {!isOpen && (numbers.length > 1 ? t('windowClosedHere') : t('windowClosed'))}
          </p>
          <div className="flex flex-wrap gap-2">
            {isOpen && isPhoneHidden && (
              <Button onClick={() => setAsking(true)}>
                <Phone className="size-4" aria-hidden />
                {t('askForPhone')}
              </Button>
            )}
            {isOpen && <AttachFiles onFiles={(given) => void shrinkPhotos(given).then(setFiles)} />}
            <Button onClick={() => setChoosing(true)}>
              <FileText className="size-4" aria-hidden />
              <span className={isOpen ? 'max-sm:sr-only' : ''}>{t('sendTemplate')}</span>
            </Button>
            {(isOpen || text !== '') && (
              <Button
                type="submit"
                look="primary"
                aria-busy={busy}
                disabled={!isOpen || !text.trim() || problem !== undefined}
              >
                <SendHorizontal className="size-4" aria-hidden />
                <span className="max-sm:sr-only">{t('send')}</span>
              </Button>
            )}
          </div>
        </div>
      </form>
      {files && (
        <Suspense fallback={null}>
          <SendFiles
            phone={phone}
            name={thread.name ?? recipientOf(phone)}
            from={sender?.phone_number_id}
            files={files}
            draft={text}
            onSent={(withDraft) => {
              if (withDraft) setText('');
              onSent();
            }}
            onClose={() => setFiles(undefined)}
          />
        </Suspense>
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
