import type { JsonObject } from '../types.ts';
import { GraphError } from './graph-errors.ts';

/** Returns a required object of a body. `name` is its name in the network's errors. */
export function object(parent: JsonObject | null, key: string, name: string): JsonObject {
  const value = parent?.[key];
  if (value === undefined || value === null) {
    throw GraphError.parameter(`The parameter ${name} is required.`);
  }
  if (typeof value !== 'object') throw GraphError.parameter(`Param ${name} must be a JSON object.`);
  return value as JsonObject;
}

/** Returns a required string of a body with `min` to `max` characters. */
export function string(
  parent: JsonObject | null,
  key: string,
  name: string,
  min: number,
  max: number,
): string {
  const value = parent?.[key];
  if (value === undefined || value === null) {
    throw GraphError.parameter(`The parameter ${name} is required.`);
  }
  if (typeof value !== 'string') throw GraphError.parameter(`Param ${name} must be a string.`);
  if (value.length < min) {
    throw GraphError.parameter(`Param ${name} must be at least ${min} characters long.`);
  }
  if (value.length > max) {
    throw GraphError.parameter(`Param ${name} must be at most ${max} characters long.`);
  }
  return value;
}
