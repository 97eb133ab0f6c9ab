/**
 * Compiles each schema once in the process, however many routes have it: most routes of the API are also those of the
 * dashboard. A process of tests builds many apps.
 */
export function compileOnce<Schema extends object, Compiled>(
  compile: (schema: Schema) => Compiled,
): (schema: Schema) => Compiled {
  const compiled = new Map<string, Compiled>();
  return (schema) => {
    const key = JSON.stringify(schema);
    const known = compiled.get(key) ?? compile(schema);
    compiled.set(key, known);
    return known;
  };
}
