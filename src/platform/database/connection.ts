import pg from 'pg';
import type { Prepared } from './prepared.ts';

type Column = { name: string; read(text: string): unknown };
type Answer = { rows: pg.QueryResultRow[]; rowCount: number };
type Callback = (error: Error | null, answer?: Answer) => void;

// What the driver's types leave out.
const { utils } = pg as unknown as {
  utils: { prepareValue(value: unknown): string | Buffer | null };
};
type Wire = {
  stream: pg.Connection['stream'];
  /** The texts of the statements that PostgreSQL has by now, and of those on their way, by their names. */
  parsedStatements: Record<string, string>;
  submittedNamedStatements: Record<string, string>;
  parse(statement: { name: string; text: string }): void;
  bind(portal: { statement: string; values: unknown[] }): void;
  describe(portal: { type: 'P' }): void;
  execute(): void;
  sync(): void;
};

/**
 * A connection that has the rows of a prepared statement described to it once, where a pool runs it. The
 * driver asks for that each time and works it out anew: 0.03 ms of a statement that takes 0.4 (bench/README.md).
 */
export class Connection extends pg.Client {
  readonly #columns = new Map<string, Column[]>();

  // Of the dozen forms that the driver's own has, pools use the one with a callback.
  override query(statement: unknown, values?: unknown, callback?: unknown): never {
    const asked =
      isPrepared(statement) && callback ? new PreparedQuery(statement, this.#columns) : statement;
    return super.query(asked as string, values as [], callback as () => void) as never;
  }
}

function isPrepared(statement: unknown): statement is Prepared {
  return typeof statement === 'object' && statement !== null && 'name' in statement;
}

/** One run of a prepared statement, as the driver calls it while it goes over the wire. */
class PreparedQuery implements pg.Submittable {
  readonly name: string;
  readonly text: string;
  readonly #values: unknown[];
  readonly #columns: Map<string, Column[]>;
  readonly #texts: (string | null)[][] = [];
  #rowCount = 0;
  /** The driver sets it. */
  declare callback: Callback;

  constructor({ name, text, values }: Prepared, columns: Map<string, Column[]>) {
    this.name = name;
    this.text = text;
    this.#values = values;
    this.#columns = columns;
  }

  /** @returns why nothing was sent */
  submit(connection: unknown): Error | null {
    const wire = connection as Wire;
    const { name, text } = this;
    const known = wire.parsedStatements[name] ?? wire.submittedNamedStatements[name];
    if (known !== undefined && known !== text) return new Error(`two statements are named ${name}`);
    let values: unknown[];
    try {
      values = this.#values.map((value) => utils.prepareValue(value));
    } catch (error) {
      return error as Error;
    }
    wire.stream.cork();
    if (known === undefined) {
      wire.parse({ name, text });
      wire.submittedNamedStatements[name] = text;
    }
    wire.bind({ statement: name, values });
    if (!this.#columns.has(name)) wire.describe({ type: 'P' });
    wire.execute();
    wire.sync();
    wire.stream.uncork();
    return null;
  }

  handleRowDescription({ fields }: { fields: { name: string; dataTypeID: number }[] }): void {
    const columns = fields.map(({ name, dataTypeID }) => ({
      name,
      read: pg.types.getTypeParser(dataTypeID, 'text'),
    }));
    this.#columns.set(this.name, columns);
  }

  handleDataRow({ fields }: { fields: (string | null)[] }): void {
    this.#texts.push(fields);
  }

  handleCommandComplete({ text }: { text: string }): void {
    this.#rowCount = Number(text.slice(text.lastIndexOf(' ')));
  }

  handleReadyForQuery(): void {
    const columns = this.#columns.get(this.name) ?? [];
    // One that gives no rows is not described either.
    this.#columns.set(this.name, columns);
    let rows: pg.QueryResultRow[];
    try {
      rows = this.#texts.map((texts) => readRow(texts, columns));
    } catch (error) {
      this.callback(error as Error);
      return;
    }
    this.callback(null, { rows, rowCount: this.#rowCount });
  }

  /** The driver's own error, or that the connection is lost; nothing else is called after it. */
  handleError(error: Error): void {
    this.callback(error);
  }
}

function readRow(texts: (string | null)[], columns: Column[]): pg.QueryResultRow {
  const row: pg.QueryResultRow = {};
  columns.forEach(({ name, read }, place) => {
    const text = texts[place]!;
    row[name] = text === null ? null : read(text);
  });
  return row;
}
