import { MapPin, ShoppingBag, UserRound } from 'lucide-react';
import { message as t } from '../../texts/message.ts';
import type { MessageBody, PlaceView } from '../message-view.ts';
import { countItems } from '../one-line.ts';
import { Attachment, AttachmentTitle } from './attachment.tsx';
import { Paragraph } from './rich-text.tsx';

/** A place. With coordinates it links to a map of another site, from which nothing is loaded. */
export function Place({ place: { latitude, longitude, name, address } }: { place: PlaceView }) {
  const isPoint = latitude !== undefined && longitude !== undefined;
  const map = `https://www.openstreetmap.org/?mlat=${latitude}&mlon=${longitude}#map=15/${latitude}/${longitude}`;
  return (
    <Attachment icon={MapPin} href={isPoint ? map : undefined}>
      <AttachmentTitle>{name || t('kinds.place')}</AttachmentTitle>
      <span dir="auto" className="break-words text-muted">
        {address || (isPoint && `${latitude}, ${longitude}`)}
      </span>
    </Attachment>
  );
}

/** People whose cards were shared. */
export function Contacts({ people }: Extract<MessageBody, { kind: 'contacts' }>) {
  return (
    <ul>
      {people.map(({ name, phone }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the people of a message never move
        <li key={index}>
          <Attachment icon={UserRound}>
            <AttachmentTitle>{name || t('kinds.contacts')}</AttachmentTitle>
            <span className="text-muted">
              <bdi>{phone}</bdi>
            </span>
          </Attachment>
        </li>
      ))}
    </ul>
  );
}

/** An order from the business's catalogue. */
export function Order({ items, total, text }: Extract<MessageBody, { kind: 'order' }>) {
  return (
    <>
      <Attachment icon={ShoppingBag}>
        <AttachmentTitle>{t('items', { count: countItems(items) })}</AttachmentTitle>
        {items.map(({ name, quantity, price }, index) => (
          <span
            // biome-ignore lint/suspicious/noArrayIndexKey: the items of a message never move
            key={index}
            className="flex justify-between gap-3 text-muted"
          >
            <span dir="auto" className="min-w-0 break-words">
              {quantity} × {name}
            </span>
            <span className="figures shrink-0">{price}</span>
          </span>
        ))}
        {total && (
          <span className="flex justify-between gap-3 border-t border-line font-medium">
            <span>{t('total')}</span>
            <span className="figures shrink-0">{total}</span>
          </span>
        )}
      </Attachment>
      {text && <Paragraph text={text} />}
    </>
  );
}
