import type { CardBody } from '../message-view.ts';
import { Place } from './attachments.tsx';
import { Media } from './media.tsx';
import { Paragraph } from './rich-text.tsx';

/** Header, text and footer of a template or an interactive message. */
export function Card({ card: { header, text, footer } }: { card: CardBody }) {
  return (
    <>
      {header && 'media' in header && <Media key={header.media.url} media={header.media} />}
      {header && 'place' in header && <Place place={header.place} />}
      {header && 'title' in header && (
        <p dir="auto" className="mb-1 break-words font-semibold">
          {header.title}
        </p>
      )}
      {text && <Paragraph text={text} />}
      {footer && (
        <p dir="auto" className="mt-1 break-words text-sm text-muted">
          {footer}
        </p>
      )}
    </>
  );
}
