import fc from 'fast-check';

const hugeText = 'A'.repeat(200_000);

/** Texts that break parsers, renderers, databases and regular expressions. */
const texts = [
  '',
  ' ',
  ' '.repeat(5_000),
  '\u0000',
  '\ud800',
  '\u202eevil',
  '\ufeff',
  '%00',
  '../../../../etc/passwd',
  "' or 1=1 --",
  `{{${' '.repeat(4_000)}`,
  '{{1}}{{1}}{{99999999999999999999}}',
  '$' + '{7*7}',
  '<script>alert(1)</script>',
  '\r\nX-Injected: 1',
  '👩‍👩‍👧‍👦'.repeat(500),
  'ß'.repeat(3_000),
  'İ'.repeat(300),
  '+'.repeat(4_000),
  `+1415555${'0'.repeat(4_000)}`,
  `a${'"'.repeat(2_000)}`,
  `${'a@'.repeat(2_000)}example.com`,
  `https://${'a.'.repeat(1_000)}example`,
  'http://169.254.169.254/latest/meta-data/',
  hugeText,
];

const odd = [
  null,
  true,
  false,
  0,
  -1,
  1e308,
  -0,
  2 ** 53,
  -(2 ** 63),
  0.1,
  [],
  {},
  [[]],
  Array(2_000).fill(0),
  { constructor: { prototype: { polluted: true } } },
];

/** One hostile value for a field of JSON. */
export const hostileValue: fc.Arbitrary<unknown> = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom<unknown>(...texts) },
  { weight: 3, arbitrary: fc.constantFrom<unknown>(...odd) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
);

/** Bodies that are not JSON, or not of the expected shape. */
export const rawBodies: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '',
    '{',
    '[]',
    'null',
    '"text"',
    '{"a":1,"a":2}',
    '{"__proto__":{"admin":true}}',
    `${'['.repeat(50_000)}${']'.repeat(50_000)}`,
    `{"message":"${hugeText.repeat(6)}"}`,
    `[${'0,'.repeat(100_000)}0]`,
    '\ufeff{}',
    '{"phone_number":"\\ud800"}',
    '{"n":1e999999}',
  ),
  fc.string({ unit: 'binary', maxLength: 500 }),
);

/**
 * Replaces, removes or adds fields of a valid body, at the first or second level.
 *
 * @returns the body as it is sent
 */
export function mutated(valid: unknown): fc.Arbitrary<string> {
  if (typeof valid !== 'object' || valid === null || Array.isArray(valid)) return rawBodies;
  const entries = Object.entries(valid as Record<string, unknown>);
  const changed = fc
    .array(fc.tuple(fc.nat(), hostileValue, fc.nat(9)), { minLength: 1, maxLength: 3 })
    .map((changes) => {
      const body: Record<string, unknown> = structuredClone(valid) as Record<string, unknown>;
      for (const [at, value, how] of changes) {
        const [name, inner] = entries[at % Math.max(entries.length, 1)] ?? ['extra', undefined];
        if (how === 0) delete body[name];
        else if (how === 1) body[`x${at}`] = value;
        else if (how < 4 && typeof inner === 'object' && inner !== null) {
          const names = Object.keys(inner);
          body[name] = { ...inner, [names[at % Math.max(names.length, 1)] ?? 'x']: value };
        } else body[name] = value;
      }
      return JSON.stringify(body);
    });
  return fc.oneof({ weight: 9, arbitrary: changed }, { weight: 1, arbitrary: rawBodies });
}

/** Path segments, query values and header values. */
export const hostileSegment: fc.Arbitrary<string> = fc.oneof(
  fc.constantFrom(
    '..%2f..%2f',
    '%00',
    '%',
    '%ff%fe',
    '0',
    '-1',
    '1e9',
    '99999999999999999999',
    'a'.repeat(600),
    '%F0%9F%92%A9',
    'v1',
    'webhooks',
    '%2e%2e',
    '1;drop',
    "1'",
  ),
  fc.string({ maxLength: 40 }).map(encodeURIComponent),
);

/** Draws `count` values of an arbitrary, the same ones for the same seed. */
export function draw<Value>(arbitrary: fc.Arbitrary<Value>, count: number, seed: number): Value[] {
  return fc.sample(arbitrary, { numRuns: count, seed });
}
