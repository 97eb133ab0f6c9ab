import { type Static, type TObject, type TUnsafe, Type } from 'typebox';

/**
 * The description and examples of a field, for its schema. Constants and objects need no example:
 * theirs is made from their parts.
 */
export function doc(description: string, ...examples: unknown[]) {
  return examples.length > 0 ? { description, examples } : { description };
}

type Values = { string: string; integer: number; boolean: boolean };

/** A string, integer or boolean that can be null. */
export function Nullable<Name extends keyof Values>(type: Name, rules: object = {}) {
  return Type.Unsafe<Values[Name] | null>({ ...rules, type: [type, 'null'] });
}

/** An object that can be null. It is serialized faster than a union. */
export function NullableObject<Shape extends TObject>(shape: Shape): TUnsafe<Static<Shape> | null> {
  return Type.Unsafe<Static<Shape> | null>({ ...shape, type: ['object', 'null'] });
}

/** One of some strings. */
export function Choice<Name extends string>(
  names: readonly Name[],
  rules: object = {},
): TUnsafe<Name> {
  return Type.Unsafe<Name>({ type: 'string', enum: names, ...rules });
}

/** One of some strings, or null. */
export function NullableChoice<const Name extends string>(...names: Name[]): TUnsafe<Name | null> {
  return Type.Unsafe<Name | null>({ type: ['string', 'null'], enum: [...names, null] });
}

/** A time in a response, as ISO 8601 in UTC. */
export function Time(description: string) {
  return Type.String({ format: 'date-time', ...doc(description, '2026-11-21T09:30:05.000Z') });
}

export const RecordId = Type.Integer(doc('Id of the record, unique in the tenant.', 42));

export const timestamps = {
  created_at: Time('When the record was created, in UTC.'),
  updated_at: Time('When the record was last changed, in UTC.'),
};
