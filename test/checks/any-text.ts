import fc from 'fast-check';

/** Generates text of any UTF-16 units, including halves of surrogate pairs and control characters. */
export function anyText(maxLength = 20): fc.Arbitrary<string> {
  const unit = fc.oneof(fc.integer({ min: 0, max: 0x7f }), fc.integer({ min: 0, max: 0xffff }));
  return fc.array(unit, { maxLength }).map((units) => String.fromCharCode(...units));
}

/** Collects all texts in a value, including names of fields, at any depth. */
export function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([name, each]) => [name, ...textsIn(each)]);
}
