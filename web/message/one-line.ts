import { formatList } from '../texts/format.ts';
import { message as t } from '../texts/message.ts';
import { withoutMarks } from './body/split-marks.ts';
import type { MediaView, MessageBody, MessageView, PlaceView } from './message-view.ts';

/** Describes a message in one line, for lists and quotes. */
export function oneLine({ body }: Pick<MessageView, 'body'>): string {
  return withoutMarks(textOf(body));
}

function textOf(body: MessageBody): string {
  switch (body.kind) {
    case 'text':
    case 'carousel':
      return body.text;
    case 'media':
      return body.caption || mediaLabel(body.media);
    case 'card':
      return body.text || cardTitle(body.header) || t('kinds.card');
    case 'place':
      return named(t('kinds.place'), placeWords(body.place));
    case 'contacts':
      return named(t('kinds.contacts'), formatList(body.people.map(({ name }) => name)));
    case 'order':
      return body.text || t('items', { count: countItems(body.items) });
    case 'words':
    case 'notice':
      return body.words;
  }
}

/** The number of pieces of an order. */
export function countItems(items: { quantity: number }[]): number {
  return items.reduce((count, { quantity }) => count + quantity, 0);
}

/** The name of a file, or the kind of media. */
export function mediaLabel({ type, name, isVoice }: MediaView): string {
  return name || t(`media.${isVoice ? 'voice' : type}`);
}

/** The name and the address of a place, or its coordinates. */
export function placeWords({ name, address, latitude, longitude }: PlaceView): string {
  const words = [name, address].filter(Boolean).join(', ');
  return words || [latitude, longitude].filter((each) => each !== undefined).join(', ');
}

function cardTitle(header: Extract<MessageBody, { kind: 'card' }>['header']): string {
  if (!header) return '';
  if ('title' in header) return header.title;
  return 'media' in header ? mediaLabel(header.media) : placeWords(header.place);
}

function named(kind: string, words: string): string {
  return words ? t('named', { kind, content: words }) : kind;
}
