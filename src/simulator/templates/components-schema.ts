import { Type } from 'typebox';

const text = Type.String();
const optionalText = Type.Optional(text);

/** Of the parts of a template, what is looked at when it is sent. */
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
