import { Ajv, type ValidateFunction } from 'ajv';
import type { FastifySchemaCompiler } from 'fastify';

/** Of all simulators of the process, so that those of tests share what was compiled. */
const ajv = new Ajv({ useDefaults: true, strict: false, validateSchema: false });

/**
 * Makes validators of route schemas. A schema is compiled by the first request that needs it. All of them at the
 * start would take a tenth of a second.
 */
export function createLateCompiler(): FastifySchemaCompiler<object> {
  return ({ schema }) => {
    let compiled: ValidateFunction | undefined;
    function validate(data: unknown): boolean {
      compiled ??= ajv.compile(schema);
      const isValid = compiled(data);
      validate.errors = compiled.errors;
      return isValid;
    }
    validate.errors = undefined as ValidateFunction['errors'];
    return validate;
  };
}
