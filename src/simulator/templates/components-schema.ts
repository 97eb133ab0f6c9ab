import { Type } from 'typebox';

const text = Type.String();
const optionalText = Type.Optional(text);

const component = {
  type: text,
  format: optionalText,
  text: optionalText,
  buttons: Type.Optional(
    Type.Array(Type.Object({ type: text, text: optionalText, url: optionalText })),
  ),
};

/** The properties of template components that sends use. */
export const componentsSchema = Type.Array(
  Type.Object({
    ...component,
    cards: Type.Optional(
      Type.Array(Type.Object({ components: Type.Array(Type.Object(component)) })),
    ),
    limited_time_offer: Type.Optional(
      Type.Object({ text: optionalText, has_expiration: Type.Optional(Type.Boolean()) }),
    ),
  }),
);
