import type { Sql } from 'sql-template-tag';

/** A statement that each connection parses and plans once; `name` is unique in the program. */
export type Prepared = { name: string; text: string; values: unknown[] };

/** A value that is one parameter of a prepared statement, however often it stands there. */
export class Shared {
  readonly value: unknown;

  constructor(value: unknown) {
    this.value = value;
  }

  /** For the driver, where the statement is not a prepared one. */
  toPostgres(): unknown {
    return this.value;
  }
}

/** What the first of a name had: its text, and which of its values are parameters. */
const known = new Map<string, { text: string; places: number[]; length: number }>();

/**
 * @param statement always the same but for its values; its text is put together once, which for the
 *   longest takes as much of the program's time as their values
 */
export function prepared(name: string, statement: Sql): Prepared {
  let first = known.get(name);
  if (!first) {
    first = numbered(statement);
    known.set(name, first);
  }
  const { text, places, length } = first;
  // Not the texts themselves, which would have to be put together for it.
  if (lengthOf(statement) !== length) throw new Error(`two statements are named ${name}`);
  return { name, text, values: places.map((place) => bare(statement.values[place])) };
}

function numbered(statement: Sql) {
  const { strings, values } = statement;
  const places: number[] = [];
  const numbers = values.map((value, place) => {
    const earlier = value instanceof Shared ? places.findIndex((at) => values[at] === value) : -1;
    return earlier < 0 ? places.push(place) : earlier + 1;
  });
  const text = strings.reduce((before, after, place) => `${before}$${numbers[place - 1]}${after}`);
  return { text, places, length: lengthOf(statement) };
}

/** Of the text without its parameters, and one for each of them. */
function lengthOf({ strings }: Sql): number {
  return strings.reduce((length, { length: more }) => length + more + 1, 0);
}

function bare(value: unknown): unknown {
  return value instanceof Shared ? value.value : value;
}
