import { type Static, Type } from 'typebox';
import { Id } from '../platform/id.ts';

/** What stores tell us about, by our own names. */
export const topics = [
  'order.created',
  'order.updated',
  'order.deleted',
  'product.created',
  'product.updated',
  'customer.created',
] as const;

export type Topic = (typeof topics)[number];

export function isTopic(text: string): text is Topic {
  return (topics as readonly string[]).includes(text);
}

/** Where the value of one template field comes from. */
export const FieldSource = Type.Object({
  path: Type.String({
    maxLength: 200,
    description:
      'Place in the payload: names and list positions with dots, such as line_items.0.name.',
    examples: ['billing.first_name'],
  }),
  default: Type.Optional(
    Type.String({ maxLength: 1024, description: 'Taken where the payload has nothing there.' }),
  ),
  format: Type.Optional(
    Type.Union([Type.Literal('money'), Type.Literal('date'), Type.Literal('first_word')]),
  ),
});

/** What is done for a topic. */
export const TopicAction = Type.Object({
  contact: Type.Object({
    mode: Type.Union([Type.Literal('none'), Type.Literal('upsert')]),
    source_id: Type.Optional(Id),
    group_ids: Type.Optional(Type.Array(Id, { maxItems: 100 })),
  }),
  template: Type.Optional(
    Type.Object({
      name: Type.String({ minLength: 1, maxLength: 512 }),
      language: Type.String({ minLength: 1, maxLength: 32 }),
      fields: Type.Array(FieldSource, { maxItems: 30 }),
      header_media_path: Type.Optional(Type.String({ maxLength: 200 })),
    }),
  ),
});

export type FieldSource = Static<typeof FieldSource>;
export type TopicAction = Static<typeof TopicAction>;

/** A new store keeps contacts up to date and sends nothing until told to. */
export function defaultAction(topic: Topic): TopicAction {
  const hasPerson = ['order.created', 'order.updated', 'customer.created'].includes(topic);
  return { contact: { mode: hasPerson ? 'upsert' : 'none' } };
}

/** What a store must send beside, or in place of, a signature. */
export type StoreAuthentication =
  | { type: 'header'; name: string; value: string }
  | { type: 'basic'; username: string; password: string };
