import { isUtf8 } from 'node:buffer';
import type { FastifyInstance } from 'fastify';
import { badRequest } from '../../errors/api-error.ts';
import { fault } from '../../errors/fault.ts';
import { hasMoreValues } from './count-values.ts';
import { forbiddenKeyIn } from './forbidden-key.ts';
import type { BodyReader } from './read-body.ts';

/**
 * The maximum number of values in a body, at any depth. The longest list of the API has 1,000 entries, and
 * each entry may be a fault of its own.
 */
const maxValues = 10_000;

/**
 * Makes a scope accept JSON only. A DELETE may have a content type without a body, as many clients send it.
 * Bodies in Latin-1, which PowerShell sends, are refused: decoded as UTF-8, they would silently lose letters.
 */
export function readJsonBodies(scope: FastifyInstance, read: BodyReader): void {
  const parse = scope.getDefaultJsonParser('error', 'error');
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('application/json', (request, payload, done) => {
    read(request, payload, (error, body) => {
      if (!body) return done(error);
      if (body.length === 0 && request.method === 'DELETE') return done(null, undefined);
      if (!isUtf8(body)) {
        return done(
          badRequest(fault('body_not_utf8', 'The body must be JSON in UTF-8, and not compressed.')),
        );
      }
      if (hasMoreValues(body, maxValues)) {
        return done(
          badRequest(
            fault('too_many_values', 'The body has more than {max} values.', { max: maxValues }),
          ),
        );
      }
      const json = body.toString();
      return parse(request, json, (error, value) => {
        const key = error ? forbiddenKeyIn(json) : undefined;
        if (key === undefined) return done(error, value);
        done(
          badRequest(
            fault('forbidden_key', 'The body has the key {key}, which is refused. Remove it.', {
              key,
            }),
          ),
        );
      });
    });
  });
}
