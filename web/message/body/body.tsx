import type { MessageBody } from '../message-view.ts';
import { Contacts, Order, Place } from './attachments.tsx';
import { Card } from './card.tsx';
import { Carousel } from './carousel.tsx';
import { Media } from './media.tsx';
import { Paragraph } from './rich-text.tsx';

/** The content of a message, without its frame. */
export function Body({ body }: { body: MessageBody }) {
  switch (body.kind) {
    case 'text':
      return <Paragraph text={body.text} />;
    case 'media':
      return (
        <>
          {/* Another file must be tried, even after one that was missing. */}
          <Media key={body.media.url} media={body.media} />
          {body.caption && <Paragraph text={body.caption} />}
        </>
      );
    case 'card':
      return <Card card={body} />;
    case 'place':
      return <Place place={body.place} />;
    case 'contacts':
      return <Contacts {...body} />;
    case 'order':
      return <Order {...body} />;
    case 'carousel':
      return <Carousel {...body} />;
    case 'words':
    case 'notice':
      return (
        <p dir="auto" className="break-words italic text-muted">
          {body.words}
        </p>
      );
  }
}
