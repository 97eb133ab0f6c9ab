import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { inParallel } from '../client.ts';
import { draw, hostileSegment, mutated, rawBodies } from '../hostile-values.ts';
import type { Attack } from './campaign.ts';

type Operation = {
  method: string;
  path: string;
  /** The example bodies of the description. */
  examples: unknown[];
  query: string[];
};

const description = JSON.parse(
  readFileSync(new URL('../../clients/openapi.json', import.meta.url), 'utf8'),
) as { paths: Record<string, object> };

/** Every operation of the API description that a token calls. */
const operations: Operation[] = Object.entries(description.paths)
  .filter(([path]) => path.startsWith('/api/{tenant}'))
  .flatMap(([path, methods]) =>
    Object.entries(methods as Record<string, OperationObject>).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      examples: Object.values(
        operation.requestBody?.content['application/json']?.examples ?? {},
      ).map(({ value }) => value),
      query: (operation.parameters ?? [])
        .filter((parameter) => parameter.in === 'query')
        .map(({ name }) => name),
    })),
  );

type OperationObject = {
  parameters?: { name: string; in: string }[];
  requestBody?: {
    content: Record<string, { examples?: Record<string, { value: unknown }> }>;
  };
};

type Shot = { method: string; path: string; headers: Record<string, string>; body?: string };

const headerValues = fc.constantFrom<Record<string, string>>(
  {},
  {},
  {},
  { 'idempotency-key': 'k' },
  { 'idempotency-key': 'x'.repeat(256) },
  { 'idempotency-key': 'é' },
  { 'content-type': 'text/plain' },
  { 'content-type': 'application/json; charset=utf-16' },
  { 'content-encoding': 'gzip' },
  { 'x-forwarded-proto': 'https', 'x-forwarded-for': '127.0.0.1' },
  { accept: 'text/csv' },
  { range: 'bytes=0-,5-2' },
  { authorization: 'Bearer ' },
  { authorization: `Bearer parley_${'a'.repeat(38)}` },
  { authorization: `Basic ${Buffer.from('a:b').toString('base64')}` },
);

function shots(slug: string): fc.Arbitrary<Shot> {
  return fc
    .record({
      operation: fc.constantFrom(...operations),
      example: fc.nat(),
      ids: fc.oneof(
        { weight: 3, arbitrary: fc.integer({ min: 1, max: 60 }).map(String) },
        { weight: 1, arbitrary: hostileSegment },
      ),
      tenant: fc.oneof(
        { weight: 40, arbitrary: fc.constant(slug) },
        { weight: 1, arbitrary: hostileSegment },
      ),
      query: fc.dictionary(fc.constantFrom('page', 'per_page', 'search', 'x'), hostileSegment, {
        maxKeys: 2,
      }),
      headers: headerValues,
      method: fc.option(fc.constantFrom('PATCH', 'OPTIONS', 'DELETE', 'PUT', 'POST'), {
        freq: 20,
      }),
      kind: fc.nat(9),
    })
    .chain(({ operation, example, ids, tenant, query, headers, method, kind }) => {
      const filled = operation.path
        .replace('{tenant}', tenant)
        .replaceAll(/\{[^}]+\}/g, ids || '0');
      const search = Object.entries(query)
        .map(([name, value]) => `${name}=${value}`)
        .join('&');
      const path =
        operation.query.length > 0 || kind === 0 ? `${filled}${search && `?${search}`}` : filled;
      const valid = operation.examples[example % Math.max(operation.examples.length, 1)];
      const body: fc.Arbitrary<string | undefined> =
        valid === undefined
          ? fc.option(rawBodies, { nil: undefined, freq: 10 })
          : kind < 2
            ? fc.constant(JSON.stringify(valid))
            : mutated(valid);
      return body.map((text) => ({
        method: method ?? operation.method,
        path,
        headers: {
          ...(text === undefined ? {} : { 'content-type': 'application/json' }),
          ...headers,
        },
        ...(text === undefined ? {} : { body: text }),
      }));
    });
}

/**
 * Sends valid, mutated and oversized requests generated from the API description, with tokens of the
 * attacker.
 */
export async function attackApi({ scene, client, inputs, seed, width }: Attack): Promise<void> {
  const { attacker, victim } = scene;
  // A token that was valid here before passes, even if its address has failed too often.
  await inParallel(attacker.tokens.length, width, (index) =>
    client.send({
      campaign: 'api requests',
      method: 'GET',
      path: `/api/${attacker.slug}/templates`,
      headers: { authorization: `Bearer ${attacker.tokens[index]}` },
    }),
  );
  // In parts, because the bodies of a whole campaign would fill the attacker's own memory.
  const part = 500;
  for (let first = 0; first < inputs; first += part) {
    const drawn = draw(shots(attacker.slug), Math.min(part, inputs - first), seed + first);
    await inParallel(drawn.length, width, (index) => {
      const { headers, ...shot } = drawn[index]!;
      const token = attacker.tokens[(first + index) % attacker.tokens.length];
      return client.send({
        campaign: 'api requests',
        ...shot,
        headers: { authorization: `Bearer ${token}`, ...headers },
        forbidden: victim.canaries,
      });
    });
  }
}
