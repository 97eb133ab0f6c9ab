import { Reply, SendHorizontal, X } from 'lucide-react';
import { type KeyboardEvent, useEffect, useLayoutEffect, useRef } from 'react';
import type { PhoneSummary } from '../../../../src/simulator/types.ts';
import { IconButton } from '../../../parts/buttons/button.tsx';
import { pastedFiles } from '../../../parts/fields/pasted-files.ts';
import { isComposing, isSendKey, sendKeyHint } from '../../../parts/fields/send-key.ts';
import { useDraft } from '../../../parts/fields/use-draft.ts';
import { showProblem } from '../../../parts/overlays/toasts.ts';
import { phone as t } from '../../../texts/phone.ts';
import { sendFile, sendMessage } from '../network.ts';
import { AttachMenu } from './attach-menu.tsx';
import { EmojiButton } from './emoji-button.tsx';
import { toPhoto } from './to-photo.ts';
import { VoiceButton } from './voice-button.tsx';

const maxHeightPx = 160;

/** The field for a message, and everything else that a phone can send. */
export function Composer({
  phone: { phone, name },
  numberId,
  quoted,
  onQuoteEnd,
  onSend,
}: {
  phone: PhoneSummary;
  numberId: string;
  /** The message that the next one answers. */
  quoted: { id: string; text: string } | undefined;
  onQuoteEnd: () => void;
  /** Called when a person sends something, before it arrives. */
  onSend: () => void;
}) {
  const [draft, setDraft] = useDraft(`parley-phone-draft ${phone} ${numberId}`);
  const field = useRef<HTMLTextAreaElement>(null);
  useLayoutEffect(() => grow(field.current, draft), [draft]);
  const quotedId = quoted?.id;
  useEffect(() => {
    if (quotedId !== undefined) field.current?.focus();
  }, [quotedId]);

  /** Sends something that replies to the quoted message. */
  async function send(sendWith: (context: { context?: string }) => Promise<unknown>) {
    onSend();
    await sendWith(quotedId === undefined ? {} : { context: quotedId });
    onQuoteEnd();
  }

  /** Empties the field and sends its text. If that fails, the text returns before newly typed text. */
  async function sendDraft(sendWith: (text: string, context: { context?: string }) => unknown) {
    const text = draft.trim();
    setDraft('');
    try {
      await send(async (context) => sendWith(text, context));
    } catch (error) {
      setDraft((since) => [text, since].filter(Boolean).join('\n'));
      showProblem(error);
    }
  }

  async function sendText(): Promise<void> {
    if (draft.trim() === '') return;
    await sendDraft((text, context) => sendMessage(phone, numberId, { text, ...context }));
  }

  /** Sends a file with the text of the field, which stays there if the file cannot have a caption. */
  async function sendChosen(chosen: File): Promise<void> {
    const file = await toPhoto(chosen);
    if (/^audio\/|^image\/webp$/.test(file.type)) {
      await send((context) => sendFile(phone, numberId, file, context)).catch(showProblem);
    } else {
      await sendDraft((caption, context) =>
        sendFile(phone, numberId, file, { ...(caption && { caption }), ...context }),
      );
    }
  }

  function onKeyDown(event: KeyboardEvent) {
    if (isSendKey(event)) {
      event.preventDefault();
      void sendText();
    } else if (event.key === 'Escape' && quoted && !isComposing(event.nativeEvent)) {
      event.preventDefault();
      onQuoteEnd();
    }
  }

  /** Inserts an emoji where the cursor is. */
  function insert(emoji: string) {
    const { selectionStart: start = draft.length, selectionEnd: end = start } = field.current ?? {};
    setDraft(draft.slice(0, start) + emoji + draft.slice(end));
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(start + emoji.length, start + emoji.length);
    });
  }

  return (
    <footer className="border-t border-line bg-surface">
      {quoted && (
        <div className="flex items-center gap-2.5 border-b border-line px-4 py-1.5 text-muted">
          <Reply className="size-5 shrink-0" aria-hidden />
          <span dir="auto" className="min-w-0 grow truncate">
            {quoted.text}
          </span>
          <IconButton label={t('doNotQuote')} onClick={onQuoteEnd}>
            <X className="size-5" aria-hidden />
          </IconButton>
        </div>
      )}
      <form
        className="flex items-end gap-1 px-2 py-2.5 md:px-[max(1rem,calc((100%-53rem)/2))]"
        onSubmit={(event) => {
          event.preventDefault();
          void sendText();
        }}
      >
        <AttachMenu
          onFile={(file) => void sendChosen(file)}
          onMessage={(message) =>
            send((context) => sendMessage(phone, numberId, { ...message, ...context })).catch(
              showProblem,
            )
          }
          phone={phone}
          owner={name}
        />
        <EmojiButton onPick={insert} />
        <textarea
          ref={field}
          dir="auto"
          aria-label={t('write')}
          placeholder={t('placeholder')}
          rows={1}
          maxLength={4096}
          value={draft}
          enterKeyHint={sendKeyHint()}
          onChange={(event) => setDraft(event.target.value)}
          onKeyDown={onKeyDown}
          onPaste={(event) => {
            const [file] = pastedFiles(event.clipboardData);
            if (!file) return;
            event.preventDefault();
            void sendChosen(file);
          }}
          className="w-full min-w-0 resize-none rounded-[1.2rem] border border-line-strong/60 bg-sunken px-4 py-1.5 placeholder:text-muted focus-visible:outline-offset-0"
        />
        <VoiceButton
          isOffered={draft.trim() === ''}
          onRecorded={(file) =>
            send((context) => sendFile(phone, numberId, file, { voice: 'true', ...context })).catch(
              showProblem,
            )
          }
        />
        <button
          type="submit"
          aria-label={t('send')}
          title={t('send')}
          className="grid size-9 shrink-0 place-items-center rounded-full bg-accent text-on-accent hover:bg-accent-strong"
        >
          <SendHorizontal className="size-5" aria-hidden />
        </button>
      </form>
    </footer>
  );
}

/** Makes the field as high as its text. Firefox does not know `field-sizing` yet. */
function grow(field: HTMLTextAreaElement | null, _text: string): void {
  if (!field) return;
  field.style.height = 'auto';
  // The border is not part of the height of the content.
  const borders = field.offsetHeight - field.clientHeight;
  field.style.height = `${Math.min(field.scrollHeight + borders, maxHeightPx)}px`;
}
