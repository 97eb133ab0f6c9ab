import { type Static, Type } from 'typebox';

const text = Type.Optional(Type.String());

/** A template message as the phone shows it, with a masked one-time password. */
export const ShownTemplate = Type.Object({
  template: Type.Object({ name: Type.String(), language: Type.String(), category: Type.String() }),
  header: Type.Optional(
    Type.Object({
      format: Type.String(),
      text,
      media_url: text,
      media_id: text,
      filename: text,
    }),
  ),
  body: Type.String(),
  footer: text,
  buttons: Type.Optional(
    Type.Array(Type.Object({ type: Type.String(), text: Type.String(), url: text })),
  ),
});
export type ShownTemplate = Static<typeof ShownTemplate>;
