import { Type } from 'typebox';
import { ShownTemplate } from '../templates/shown-template.ts';

const text = Type.Optional(Type.String());

/**
 * The stored content of a message, by `send-text.ts`, `send-media.ts`, `fill-template.ts` and `read-inbound.ts`.
 * Its fields depend on the kind of the message. Kinds that Parley does not read are under the network's names.
 */
export const StoredContent = Type.Object(
  {
    text,
    caption: text,
    filename: Type.Optional(Type.Union([Type.String(), Type.Null()])),
    media_url: text,
    media_id: text,
    mime_type: text,
    voice: Type.Optional(Type.Boolean()),
    payload: text,
    reply_to: text,
    template: Type.Optional(ShownTemplate.properties.template),
    header: ShownTemplate.properties.header,
    body: text,
    footer: text,
    buttons: ShownTemplate.properties.buttons,
  },
  { additionalProperties: true },
);
