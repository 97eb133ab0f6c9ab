import type { ReactNode } from 'react';

/**
 * A message as it is drawn. It does not say how the message was transferred: an adapter of each application
 * reads its own wire format and writes this.
 */
export type MessageView = {
  id: string;
  /** ISO 8601. */
  at: string;
  /** Whether the person who looks at it wrote it. */
  isMine: boolean;
  body: MessageBody;
  /** The buttons under the bubble. */
  actions: MessageAction[];
  quote?: Quote;
  reactions: Reaction[];
  /** The status of an own message. */
  tick?: Tick;
  /** A few words beside the time. */
  note?: string;
  /** When the message reached each status, as a hint of its time. */
  timeline?: string;
  /** Words under the message that are no failure but need attention. */
  warning?: string;
  failure?: Failure;
};

export type MessageBody =
  | { kind: 'text'; text: string }
  | { kind: 'media'; media: MediaView; caption?: string }
  | CardBody
  | { kind: 'place'; place: PlaceView }
  | { kind: 'contacts'; people: { name: string; phone?: string }[] }
  | {
      kind: 'order';
      items: { name: string; quantity: number; price: string }[];
      /** Empty for one item, and if the items have several currencies. */
      total: string;
      text: string;
    }
  | { kind: 'carousel'; text: string; cards: { card: CardBody; actions: MessageAction[] }[] }
  /** A kind of message that has no drawing of its own, named in words. */
  | { kind: 'words'; words: string }
  /** A line across the conversation instead of a bubble. */
  | { kind: 'notice'; words: string };

/** A template or an interactive message. */
export type CardBody = {
  kind: 'card';
  header?: { title: string } | { media: MediaView } | { place: PlaceView };
  text?: string;
  footer?: string;
};

export type MediaType = 'image' | 'video' | 'audio' | 'document' | 'sticker';

export type MediaView = {
  type: MediaType;
  /** Whether it is audio that was recorded in the chat. */
  isVoice?: boolean;
  /** Absent if there is no file to load, as in the preview of a template. */
  url?: string;
  /** The name of the file. */
  name?: string;
  /** The public address of the file, if `url` is not that itself. */
  original?: string;
  /** The explanation if the file cannot be loaded. */
  missing?: string;
};

export type PlaceView = { latitude?: number; longitude?: number; name?: string; address?: string };

/** `key` identifies the chosen button or row to the owner of the message. */
export type MessageAction =
  | { kind: 'reply'; text: string; key: string }
  | { kind: 'list'; text: string; sections: ListSection[] }
  | { kind: 'link'; text: string; url: string }
  | { kind: 'copy'; text: string; code?: string }
  | { kind: 'call'; text: string; phone?: string }
  /** Any other button, such as one that opens a form or a catalogue. */
  | { kind: 'leave'; text: string };

export type ListSection = {
  title?: string;
  rows: { key: string; title: string; description?: string }[];
};

/**
 * @property messageId the message to scroll to, if it is in the list
 * @property url the website to which it leads, if it is an advertisement
 */
export type Quote = { author: string; text: string; messageId?: string; url?: string };

export type Reaction = { emoji: string; author: string; isMine: boolean };

export type Tick = {
  step: 'sending' | 'unknown' | 'sent' | 'delivered' | 'read' | 'failed';
  words: string;
};

export type Failure = { words: ReactNode; details?: string };
