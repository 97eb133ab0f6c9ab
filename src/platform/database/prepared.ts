import type { Sql } from 'sql-template-tag';

/** A statement that each connection parses and plans once; `name` is unique in the program. */
export type Prepared = { name: string; text: string; values: unknown[] };

/** What is one parameter of a prepared statement, however often it stands there. */
export abstract class Parameter {}

/** A value that is one parameter. */
export class Shared extends Parameter {
  readonly value: unknown;

  constructor(value: unknown) {
    super();
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
 * For what does not run with every request; that is better a `statement`, which is not put together again.
 *
 * @param statement always the same but for its values; its text is put together once, which for the
 *   longest takes as much of the program's time as their values
 */
export function prepared(name: string, statement: Sql): Prepared {
  let first = known.get(name);
  if (!first) {
    first = { ...numbered(statement), length: lengthOf(statement) };
    known.set(name, first);
  }
  const { text, places, length } = first;
  // Not the texts themselves, which would have to be put together for it.
  if (lengthOf(statement) !== length) throw new Error(`two statements are named ${name}`);
  return { name, text, values: places.map((place) => bare(statement.values[place])) };
}

/** The text of a statement as PostgreSQL takes it, and which of its values are the parameters. */
export function numbered({ strings, values }: Sql): { text: string; places: number[] } {
  const places: number[] = [];
  const numbers = values.map((value, place) => {
    const earlier =
      value instanceof Parameter ? places.findIndex((at) => values[at] === value) : -1;
    return earlier < 0 ? places.push(place) : earlier + 1;
  });
  const text = strings.reduce((before, after, place) => `${before}$${numbers[place - 1]}${after}`);
  return { text, places };
}

/** Of the text without its parameters, and one for each of them. */
function lengthOf({ strings }: Sql): number {
  return strings.reduce((length, { length: more }) => length + more + 1, 0);
}

function bare(value: unknown): unknown {
  return value instanceof Shared ? value.value : value;
}
