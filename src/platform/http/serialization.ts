import buildSerializer, { type Schema } from 'fast-json-stringify';
import type { FastifySerializerCompiler } from 'fastify';
import { compileOnce } from './compile-once.ts';

/**
 * Creates serializers for responses. They leave out fields that the schema does not name. As with validators,
 * a schema is compiled when it is first needed.
 */
export function createSerializerCompiler(): FastifySerializerCompiler<Schema> {
  return ({ schema }) => {
    let serialize: ((data: unknown) => string) | undefined;
    return (data) => {
      serialize ??= compile(schema);
      return serialize(data);
    };
  };
}

const compile = compileOnce<Schema, (data: unknown) => string>((schema) => buildSerializer(schema));
