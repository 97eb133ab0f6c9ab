import { Tip } from '../parts/overlays/tip.tsx';
import { formatTime } from '../texts/format.ts';
import { message as t } from '../texts/message.ts';
import { Body } from './body/body.tsx';
import { OutsideLink } from './body/outside-link.tsx';
import type { Failure, MessageView, Quote, Reaction } from './message-view.ts';
import { TickIcon, Ticks } from './ticks.tsx';

/** A message in its frame: its quote, content, time and status. */
export function Bubble({ view }: { view: MessageView }) {
  const { isMine, body, actions, quote, reactions, tick, note, timeline, warning, failure } = view;
  const isSticker = body.kind === 'media' && body.media.type === 'sticker';
  const color = isMine ? 'bg-mine border-transparent' : 'bg-theirs border-line';
  return (
    <div
      className={`relative min-w-24 max-w-full rounded-2xl px-3 py-2 ${
        isSticker ? '' : `border shadow-card ${color}`
      } ${isMine ? 'rounded-ee-md' : 'rounded-es-md'} ${actions.length > 0 ? 'w-full' : ''}`}
    >
      <span className="sr-only">{isMine ? t('me') : t('them')}</span>
      {quote && <Quoted {...quote} />}
      <Body body={body} />
      <div className="mt-0.5 flex items-center justify-end gap-1 text-xs text-muted">
        {note && <span className="me-auto pe-2">{note}</span>}
        {timeline ? (
          <Tip words={timeline} opensByPress>
            <button type="button" className="flex items-center gap-1">
              <time dateTime={view.at}>{formatTime(view.at)}</time>
              {tick && <TickIcon {...tick} />}
            </button>
          </Tip>
        ) : (
          <>
            <time dateTime={view.at}>{formatTime(view.at)}</time>
            {tick && <Ticks {...tick} />}
          </>
        )}
      </div>
      {warning && <p className="mt-1 text-sm text-warn">{warning}</p>}
      {failure && <FailureWords {...failure} />}
      {reactions.length > 0 && <Reactions reactions={reactions} />}
    </div>
  );
}

function Quoted({ author, text, messageId, url }: Quote) {
  const look =
    'mb-1.5 grid w-full rounded-lg border-s-[3px] border-accent bg-sunken px-2.5 py-1.5 text-start text-sm';
  const words = (
    <>
      <strong dir="auto" className="font-semibold">
        {author}
      </strong>
      <span dir="auto" className="line-clamp-2 break-words text-muted">
        {text}
      </span>
    </>
  );
  if (url !== undefined) {
    return (
      <OutsideLink href={url} className={look}>
        {words}
      </OutsideLink>
    );
  }
  if (messageId === undefined) return <div className={look}>{words}</div>;
  return (
    <button type="button" className={look} onClick={() => goTo(messageId)}>
      {words}
    </button>
  );
}

/** Scrolls to a message, and gives it the focus, so that a screen reader continues there. */
function goTo(messageId: string): void {
  const message = document.getElementById(elementIdOf(messageId));
  if (!message) return;
  message.scrollIntoView({ block: 'center' });
  message.tabIndex = -1;
  message.focus({ preventScroll: true });
}

/** The id of the element of a message. */
export function elementIdOf(messageId: string): string {
  return `message-${messageId}`;
}

function FailureWords({ words, details }: Failure) {
  const look = 'mt-1 border-t border-line pt-1 text-sm text-bad';
  if (!details) return <p className={look}>{words}</p>;
  return (
    <details className={look}>
      <summary className="cursor-pointer">{words}</summary>
      <p className="mt-1 text-muted">{details}</p>
    </details>
  );
}

function Reactions({ reactions }: { reactions: Reaction[] }) {
  return (
    <ul className="absolute -bottom-3.5 end-2.5 flex gap-0.5 rounded-full border border-line bg-raised px-1.5 leading-[1.4rem] shadow-card">
      {reactions.map(({ emoji, author }) => (
        <Tip key={`${author} ${emoji}`} words={t('reactedBy', { author, emoji })}>
          <li>
            <span aria-hidden>{emoji}</span>
            <span className="sr-only">{t('reactedBy', { author, emoji })}</span>
          </li>
        </Tip>
      ))}
    </ul>
  );
}
