import { type Expression, type Program, parseSync, Visitor } from 'oxc-parser';

/** A regular expression in a file, or code that makes one at run time. */
export type FoundExpression = {
  path: string;
  line: number;
  /** The expression as written in the file. */
  code: string;
} & ({ source: string; flags: string } | { source: undefined });

/** ajv, and browsers for `<input pattern>`, compile patterns with these flags. */
const patternFlags = 'u';

/** String methods that compile a string argument to a regular expression. */
const compilingMethods = ['match', 'matchAll', 'search'];

/**
 * Finds every regular expression in a file: literals, `RegExp(...)`, strings passed to `match`, `matchAll`
 * and `search`, and `pattern` in objects (JSON schemas) and attributes (HTML inputs). Strings may be built
 * from constants of the same file. Anything else has no `source`.
 *
 * @param path its extension is the dialect: `.ts`, `.tsx` or `.js`
 * @throws Error if the file cannot be parsed
 */
export function findExpressions(path: string, text: string): FoundExpression[] {
  const { program, errors } = parseSync(path, text);
  if (errors[0]) throw new Error(`${path}: ${errors[0].message}`);
  const constants = constantsOf(program);
  const found: FoundExpression[] = [];

  function add(node: Expression, source: string | undefined, flags: string | undefined): void {
    const place = {
      path,
      line: text.slice(0, node.start).split('\n').length,
      code: text.slice(node.start, node.end),
    };
    if (source === undefined || flags === undefined) found.push({ ...place, source: undefined });
    else found.push({ ...place, source, flags });
  }

  function addConstructed(node: Expression & { callee: Expression; arguments: unknown[] }): void {
    if (node.callee.type !== 'Identifier' || node.callee.name !== 'RegExp') return;
    const [source, flags] = node.arguments as [Expression?, Expression?];
    add(
      node,
      source ? textOf(source, constants) : '',
      flags ? textOf(flags, constants) : flagsOf(source),
    );
  }

  new Visitor({
    Literal(node) {
      if ('regex' in node) add(node, node.regex.pattern, node.regex.flags);
    },
    NewExpression: addConstructed,
    CallExpression(node) {
      addConstructed(node);
      const { callee, arguments: given } = node;
      if (callee.type !== 'MemberExpression' || callee.computed) return;
      const isCompiling =
        callee.property.type === 'Identifier' && compilingMethods.includes(callee.property.name);
      const source =
        isCompiling && given[0] ? textOf(given[0] as Expression, constants) : undefined;
      if (source !== undefined && !isExpression(given[0] as Expression, constants)) {
        add(given[0] as Expression, source, '');
      }
    },
    ObjectExpression({ properties }) {
      for (const each of properties) {
        if (each.type === 'Property' && !each.computed && nameOf(each.key) === 'pattern') {
          add(each.value, textOf(each.value, constants), patternFlags);
        }
      }
    },
    JSXAttribute({ name, value }) {
      if (name.type !== 'JSXIdentifier' || name.name !== 'pattern' || !value) return;
      const inner = value.type === 'JSXExpressionContainer' ? value.expression : value;
      // Browsers match the whole value.
      const source = textOf(inner as Expression, constants);
      add(inner as Expression, source && `^(?:${source})$`, patternFlags);
    },
  }).visit(program);
  return found;
}

type Constants = Map<string, Expression>;

/** Collects the constants of a file by name, except names that are declared twice. */
function constantsOf(program: Program): Constants {
  const constants: Constants = new Map();
  const ambiguous = new Set<string>();
  new Visitor({
    VariableDeclaration({ kind, declarations }) {
      for (const { id, init } of declarations) {
        if (id.type !== 'Identifier') continue;
        if (constants.has(id.name) || kind !== 'const' || !init) ambiguous.add(id.name);
        else constants.set(id.name, init);
      }
    },
  }).visit(program);
  for (const name of ambiguous) constants.delete(name);
  return constants;
}

/** Returns the text of an expression, or the source of a regular expression; undefined if unknown here. */
function textOf(node: Expression, constants: Constants): string | undefined {
  switch (node.type) {
    case 'Literal':
      if ('regex' in node) return node.regex.pattern;
      return typeof node.value === 'string' ? node.value : undefined;
    case 'TemplateLiteral':
      return joined(
        node.quasis.flatMap((quasi, index) => {
          const next = node.expressions[index];
          return [quasi.value.cooked ?? undefined, next ? textOf(next, constants) : ''];
        }),
      );
    case 'BinaryExpression':
      if (node.operator !== '+') return undefined;
      return joined([textOf(node.left as Expression, constants), textOf(node.right, constants)]);
    case 'Identifier': {
      const value = constants.get(node.name);
      return value && textOf(value, withoutName(constants, node.name));
    }
    case 'MemberExpression': {
      if (node.computed || node.property.type !== 'Identifier') return undefined;
      const { name } = node.property;
      if (name === 'source' && isExpression(node.object, constants)) {
        return textOf(node.object, constants);
      }
      const object = node.object.type === 'Identifier' && constants.get(node.object.name);
      if (!object) return undefined;
      if (object.type !== 'ObjectExpression') return undefined;
      const [property] = object.properties.filter(
        (each) => each.type === 'Property' && !each.computed && nameOf(each.key) === name,
      );
      return property?.type === 'Property' ? textOf(property.value, constants) : undefined;
    }
    default:
      return undefined;
  }
}

function joined(parts: (string | undefined)[]): string | undefined {
  return parts.includes(undefined) ? undefined : parts.join('');
}

/** A constant that refers to itself has no known text. */
function withoutName(constants: Constants, name: string): Constants {
  return new Map([...constants].filter(([each]) => each !== name));
}

function isExpression(node: Expression, constants: Constants): boolean {
  if (node.type === 'Identifier') {
    const value = constants.get(node.name);
    return value !== undefined && isExpression(value, withoutName(constants, node.name));
  }
  return node.type === 'Literal' && 'regex' in node;
}

function flagsOf(source: Expression | undefined): string {
  return source?.type === 'Literal' && 'regex' in source ? source.regex.flags : '';
}

function nameOf(key: { type: string; name?: unknown; value?: unknown }): unknown {
  return key.type === 'Identifier' ? key.name : key.value;
}
