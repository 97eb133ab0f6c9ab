import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseAst } from 'vite';

/** A sentence of the service: its code, its text, and the names of its values. */
export type FoundFault = {
  place: string;
  code: string;
  /** Undefined if it is put together. */
  text: string | undefined;
  values: string[];
};

type Node = { type: string; [key: string]: unknown };
type Call = Node & { callee: { name?: string }; arguments: Node[] };

/** Finds every `fault('code', text, values)` in the source of the service. Codes and values must be literal. */
export async function findFaults(folder: string): Promise<FoundFault[]> {
  const paths = (await readdir(folder, { recursive: true })).filter(
    (path) => /\.ts$/.test(path) && !/\.test\.ts$/.test(path),
  );
  const found = await Promise.all(
    paths.map(async (path) => {
      const source = await readFile(join(folder, path), 'utf8');
      if (!source.includes('fault(')) return [];
      return callsIn(parseAst(source, { lang: 'ts' }))
        .filter(({ callee }) => callee.name === 'fault')
        .map((call) => read(call, `${path}: ${source.slice(call.start as number).slice(0, 60)}`));
    }),
  );
  return found.flat();
}

function callsIn(node: unknown): Call[] {
  if (typeof node !== 'object' || node === null) return [];
  const below = Object.values(node).flatMap(callsIn);
  return (node as Node).type === 'CallExpression' ? [node as Call, ...below] : below;
}

function read({ arguments: [code, text, values] }: Call, place: string): FoundFault {
  if (typeof code?.value !== 'string') throw new Error(`${place} has no literal code`);
  const literal = typeof text?.value === 'string' ? text.value : undefined;
  return {
    place,
    code: code.value,
    text: literal || undefined,
    values: values ? keysOf(values, place) : [],
  };
}

/** The names of an object. What is spread into it must be listed beside it. */
function keysOf(values: Node, place: string): string[] {
  if (values.type !== 'ObjectExpression') throw new Error(`${place} has no literal values`);
  return (values.properties as Node[]).map((property) => {
    const { name } = (property.key ?? {}) as { name?: string };
    if (name === undefined) throw new Error(`${place} has a value without a name`);
    return name;
  });
}
