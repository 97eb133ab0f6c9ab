import { Type } from 'typebox';

const text = Type.String();
const optionalText = Type.Optional(text);

/** The properties of template components that sends use. */
export const componentsSchema = Type.Array(
  Type.Object({
    type: text,
    format: optionalText,
    text: optionalText,
    buttons: Type.Optional(
      Type.Array(Type.Object({ type: text, text: optionalText, url: optionalText })),
    ),
  }),
);
