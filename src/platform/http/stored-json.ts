import { type Static, type TSchema, type TUnsafe, Type } from 'typebox';

/**
 * The schema of a value that responses contain as it is stored, such as JSON from the network. It is serialized
 * without a look at its fields, so no field is dropped, and a value of another shape does no harm.
 *
 * @param shape the value in the API description
 */
export function StoredJson<Shape extends TSchema>(shape: Shape): TUnsafe<Static<Shape>> {
  return Type.Unsafe<Static<Shape>>({ 'x-shape': shape });
}
