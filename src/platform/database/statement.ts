import type { Sql } from 'sql-template-tag';
import { numbered, Parameter, type Prepared } from './prepared.ts';

/** A value that a statement will have, read from what it is given each time it runs. */
export class Value<Read> extends Parameter {
  // `never`: only the statement that made it knows what it is given.
  readonly from: (given: never) => Read;

  constructor(from: (given: never) => Read) {
    super();
    this.from = from;
  }

  as<Made>(make: (read: Read) => Made): Value<Made> {
    return new Value((given) => make(this.from(given)));
  }
}

export type Values<Given> = { readonly [Key in keyof Given]-?: Value<Given[Key]> };

/** The `clockOffsetMs` of a clock that nobody has moved, as it is but for tests; see `moment`. */
export const unmoved = new Value<number>(() => 0);

/**
 * A prepared statement that is put together once, when the program starts: for what runs with every
 * request, as putting a long one together anew takes 5 to 10 microseconds. A value is one parameter, however
 * often it stands there.
 *
 *     const findThing = statement<{ tenantId: number; id: number }>('find-thing', ({ tenantId, id }) => sql`
 *       select name from things where tenant_id = ${tenantId} and id = ${id}`);
 *     const { rows } = await db.query<{ name: string }>(findThing({ tenantId: 1, id: 2 }));
 *
 * One that has a `clockOffsetMs` is another statement where that is not 0: PostgreSQL sets up each function of
 * a statement anew whenever it runs, and a moment that is moved has three.
 *
 * @param name unique in the program
 */
export function statement<Given extends object>(
  name: string,
  build: (values: Values<Given>) => Sql,
): (given: Given) => Prepared {
  const usual = putTogether(name, build(valuesOf<Given>({ clockOffsetMs: unmoved })));
  let moved: ((given: Given) => Prepared) | undefined;
  return (given) => {
    if (!('clockOffsetMs' in given) || given.clockOffsetMs === 0) return usual(given);
    moved ??= putTogether(`${name}-moved`, build(valuesOf<Given>()));
    return moved(given);
  };
}

function putTogether<Given>(name: string, built: Sql): (given: Given) => Prepared {
  const { text, places } = numbered(built);
  const readers = places.map((place) => {
    const value = built.values[place];
    if (value instanceof Value) return value.from as (given: Given) => unknown;
    throw new Error(`the statement ${name} has a value that is always the same`);
  });
  return (given) => ({ name, text, values: readers.map((read) => read(given)) });
}

/** Each key's value is made once, so that it stays one parameter. */
function valuesOf<Given extends object>(known: Record<string, Value<unknown>> = {}): Values<Given> {
  const made = new Map(Object.entries(known));
  return new Proxy({} as Values<Given>, {
    get(_, key: string) {
      const value = made.get(key) ?? new Value((given) => given[key]);
      made.set(key, value);
      return value;
    },
  });
}
