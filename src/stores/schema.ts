import { type Static, Type } from 'typebox';
import { fault } from '../platform/errors/fault.ts';
import { Id } from '../platform/values/id.ts';

/** The topics of store posts, by our own names. */
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

/** The source of the value of a template field. */
export const FieldSource = Type.Object({
  path: Type.String({
    maxLength: 200,
    description:
      'Place in the payload: names and list positions with dots, such as line_items.0.name, line_items.last.name, or line_items.*.name for all; or a field of the buyer, such as buyer.first_name.',
    examples: ['buyer.first_name'],
  }),
  default: Type.Optional(
    Type.String({ maxLength: 1024, description: 'Used if the payload has nothing there.' }),
  ),
  format: Type.Optional(
    Type.Union([Type.Literal('money'), Type.Literal('date'), Type.Literal('first_word')]),
  ),
});

/** What a payload must have so that a topic's message is sent. */
export const Condition = Type.Object({
  path: Type.String({
    maxLength: 200,
    description: 'Place in the payload, as for a field.',
    examples: ['status'],
  }),
  values: Type.Array(Type.String({ minLength: 1, maxLength: 200 }), {
    maxItems: 30,
    description: 'It must have one of these there, ignoring case. An empty list: anything.',
    examples: [['completed']],
  }),
});

/**
 * The ways to handle the contact of a topic's buyer.
 * - automatic: `upsert` for customers with an account in the shop, `fill` for guests
 * - upsert: create it, or update the fields that the post has
 * - fill: create it, or fill the fields that are empty
 */
export const contactModes = ['automatic', 'upsert', 'fill', 'none'] as const;

export type ContactMode = (typeof contactModes)[number];

export function isContactMode(text: string): text is ContactMode {
  return (contactModes as readonly string[]).includes(text);
}

/** The action for a topic. */
export const TopicAction = Type.Object({
  contact: Type.Object({
    mode: Type.Unsafe<ContactMode>({
      enum: contactModes,
      'x-message': fault('not_one_of', 'must be one of {known}', {
        known: contactModes.join(', '),
      }),
    }),
    source_id: Type.Optional(Id),
    group_ids: Type.Optional(Type.Array(Id, { maxItems: 100 })),
  }),
  template: Type.Optional(
    Type.Object({
      name: Type.String({ minLength: 1, maxLength: 512 }),
      language: Type.String({ minLength: 1, maxLength: 32 }),
      fields: Type.Array(FieldSource, { maxItems: 30 }),
      header_media_path: Type.Optional(Type.String({ maxLength: 200 })),
      only_if: Type.Optional(Condition),
    }),
  ),
});

export type FieldSource = Static<typeof FieldSource>;
export type Condition = Static<typeof Condition>;
export type TopicAction = Static<typeof TopicAction>;

/** Returns the action of a topic that is not set: it updates the contact and sends nothing. */
export function defaultAction(topic: Topic): TopicAction {
  const hasPerson = ['order.created', 'order.updated', 'customer.created'].includes(topic);
  return { contact: { mode: hasPerson ? 'automatic' : 'none' } };
}

/** The authentication of a store's posts, besides a signature or instead of one. */
export type StoreAuthentication =
  | { type: 'header'; name: string; value: string }
  | { type: 'basic'; username: string; password: string };
