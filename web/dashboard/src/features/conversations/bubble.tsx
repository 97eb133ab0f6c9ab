import { PhoneMessage } from '../../../../parts/phone-message.tsx';
import { RichText } from '../../../../parts/rich-text.tsx';
import { conversations as texts } from '../../../../texts/conversations.ts';
import { formatDateTime, formatTime } from '../../../../texts/format.ts';
import type { MessageData } from '../../api/records.ts';
import { Media } from './media.tsx';
import { Ticks } from './ticks.tsx';
import { wordsOf } from './words-of.ts';

/** One message: what it says, when, and how far it has come. */
export function Bubble({ message }: { message: MessageData }) {
  const isOut = message.direction === 'out';
  const steps = [
    ['sent', message.sent_at],
    ['delivered', message.delivered_at],
    ['read', message.read_at],
    ['failed', message.failed_at],
  ] as const;
  const timeline = steps
    .flatMap(([step, at]) => (at ? [`${texts.states[step]} ${formatDateTime(at)}`] : []))
    .join('\n');
  return (
    <article
      className={`max-w-[85%] rounded-2xl px-3 py-2 shadow-card sm:max-w-[70%] ${
        isOut
          ? 'justify-self-end rounded-br-md border border-transparent bg-accent-soft'
          : 'justify-self-start rounded-bl-md border border-line bg-raised'
      }`}
    >
      <span className="sr-only">{isOut ? texts.you : texts.them}: </span>
      <Content message={message} />
      <p
        className="mt-0.5 flex items-center justify-end gap-1 text-xs text-muted"
        title={timeline || undefined}
      >
        <time dateTime={message.created_at}>{formatTime(message.created_at)}</time>
        {isOut && <Ticks message={message} />}
      </p>
      {message.status === 'unknown' && (
        <p className="mt-1 text-sm text-warn">{texts.states.unknown}.</p>
      )}
      {message.failure && message.status === 'failed' && <Failure {...message.failure} />}
    </article>
  );
}

function Failure({ words, details, code }: NonNullable<MessageData['failure']>) {
  const style = 'mt-1 border-t border-line pt-1 text-sm text-bad';
  const more = [details, code !== null && texts.code(code)].filter(Boolean).join(' ');
  if (!more) return <p className={style}>{words}</p>;
  return (
    <details className={style}>
      <summary className="cursor-pointer">{words}</summary>
      <p className="mt-1 text-muted">{more}</p>
    </details>
  );
}

function Content({ message }: { message: MessageData }) {
  const { content, kind } = message;
  if (kind === 'template') {
    const media = content.header?.media_url && <Media message={message} />;
    return <PhoneMessage {...content} media={media} />;
  }
  const words = content.text ?? content.caption;
  return (
    <>
      {(content.media_id || content.media_url) && <Media message={message} />}
      {words && (
        <p dir="auto" className="whitespace-pre-wrap break-words">
          <RichText text={words} />
        </p>
      )}
      {!words && !content.media_id && !content.media_url && (
        <p dir="auto" className="break-words italic text-muted">
          {wordsOf(message)}
        </p>
      )}
    </>
  );
}
