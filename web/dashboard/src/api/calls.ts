import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import { Unreachable } from '../../../parts/behaviour/problem.ts';
import type {
  DataOf,
  DeepPartial,
  InputOf,
  Method,
  OperationOf,
  Optional,
  ParametersOf,
  PathOf,
  ResponseOf,
} from './call-types.ts';
import { problemOf } from './problems.ts';

/** Far longer than any response takes. Uploads have no limit. */
const maxResponseMs = 120_000;

type Input = { path?: Record<string, unknown>; query?: object; body?: unknown; key?: string };
/** A page of a list that is read by cursor. */
type CursorPage<Entries> = {
  data: Entries extends unknown[] ? Entries : never;
  pagination: { next: string | null };
};

/** How many pages without entries are read before somebody asks for more. */
const maxEmptyPages = 5;

/**
 * Creates the calls of the routes below an address. A path, parameter, body or field that the routes do not have
 * is a type error.
 *
 * @param send makes the requests
 * @throws Problem from every call, if the service refuses it or cannot be reached
 */
export function createCalls<Paths extends object>(base: string, send = globalThis.fetch) {
  type Get<Path extends PathOf<Paths, 'get'>> = OperationOf<Paths, Path, 'get'>;

  function addressOf(path: string, { path: values = {}, query }: Input): string {
    const filled = path.replace(/\{(\w+)\}/g, (_, name) => encodeURIComponent(`${values[name]}`));
    const parameters = writeQuery(query);
    return base + filled + (parameters && `?${parameters}`);
  }

  /** @param wanted ends the request when nobody waits for it any more */
  async function request(method: Method, path: string, input: Input, wanted?: AbortSignal) {
    const { body = {}, key } = input;
    const isFile = body instanceof Blob;
    const hasBody = method === 'post' || method === 'put';
    const ask = async () => {
      const response = await send(addressOf(path, input), {
        method: method.toUpperCase(),
        credentials: 'same-origin',
        headers: {
          ...(hasBody && { 'content-type': isFile ? 'text/csv' : 'application/json' }),
          ...(key !== undefined && { 'idempotency-key': key }),
        },
        body: hasBody ? (isFile ? body : JSON.stringify(body)) : null,
        signal: AbortSignal.any([
          ...(isFile ? [] : [AbortSignal.timeout(maxResponseMs)]),
          ...(wanted ? [wanted] : []),
        ]),
      });
      return { response, data: await readBody(response) };
    };
    const { response, data } = await ask().catch((cause) => {
      throw new Unreachable(cause);
    });
    if (response.ok && data) return data;
    throw await problemOf(response, data);
  }

  async function call<Data>(
    method: Method,
    path: string,
    input: unknown,
    wanted?: AbortSignal,
  ): Promise<Data> {
    const { data } = (await request(method, path, (input ?? {}) as Input, wanted)) as {
      data: Data;
    };
    return data;
  }

  /** Makes the calls of one method. They resolve to the `data` of the response. */
  const callsOf =
    <Name extends Method>(method: Name) =>
    <Path extends PathOf<Paths, Name>>(
      path: Path,
      ...[input]: Optional<InputOf<OperationOf<Paths, Path, Name>>>
    ) =>
      call<DataOf<OperationOf<Paths, Path, Name>>>(method, path, input);

  return {
    get: callsOf('get'),
    post: callsOf('post'),
    put: callsOf('put'),
    delete: callsOf('delete'),

    /**
     * Makes a POST that the service does once, however often it is asked with the same key.
     *
     * @param key its Idempotency-Key
     * @param wanted ends the request
     */
    once: <Path extends PathOf<Paths, 'post'>>(
      path: Path,
      key: string,
      wanted: AbortSignal,
      ...[input]: Optional<InputOf<OperationOf<Paths, Path, 'post'>>>
    ) => call<DataOf<OperationOf<Paths, Path, 'post'>>>('post', path, { ...input, key }, wanted),

    /** Returns the query for the data of a path. Its key is its address. */
    asked: <Path extends PathOf<Paths, 'get'>>(
      path: Path,
      ...[input]: Optional<ParametersOf<Get<Path>>>
    ) =>
      queryOptions({
        queryKey: [base, path, keyed(input)] as const,
        queryFn: ({ signal }) => call<DataOf<Get<Path>>>('get', path, input, signal),
      }),

    /** Returns the query for the result of a POST that changes nothing. */
    askedByPost: <Path extends PathOf<Paths, 'post'>>(
      path: Path,
      ...[input]: Optional<InputOf<OperationOf<Paths, Path, 'post'>>>
    ) =>
      queryOptions({
        queryKey: [base, path, keyed(input)] as const,
        queryFn: ({ signal }) =>
          call<DataOf<OperationOf<Paths, Path, 'post'>>>('post', path, input, signal),
      }),

    /** Returns the query for one page of a list, with its position in the list. */
    askedPage: <Path extends PathOf<Paths, 'get'>>(
      path: Path,
      ...[input]: Optional<ParametersOf<Get<Path>>>
    ) =>
      queryOptions({
        queryKey: [base, path, keyed(input), 'page'] as const,
        queryFn: async ({ signal }) =>
          (await request('get', path, (input ?? {}) as Input, signal)) as ResponseOf<Get<Path>>,
      }),

    /**
     * Returns the query for a list that is loaded in parts. Each part begins at the end of the one before.
     *
     * @param cursor the parameter for the beginning of a part
     * @param next finds the beginning of the next part in the one before, if there is one
     * @param isEmpty whether nothing was found in a part yet. Then some of the next ones are read too
     */
    askedInParts: <Path extends PathOf<Paths, 'get'>, Cursor extends string | number>(
      path: Path,
      input: ParametersOf<Get<Path>>,
      cursor: 'before' | 'after',
      next: (part: DataOf<Get<Path>>) => Cursor | null | undefined,
      isEmpty: (part: DataOf<Get<Path>>) => boolean = () => false,
    ) =>
      infiniteQueryOptions({
        queryKey: [base, path, keyed(input), 'parts'] as const,
        queryFn: async ({ pageParam, signal }) => {
          const { query, ...rest } = input as Input;
          let from = pageParam as Cursor | null | undefined;
          for (let read = 1; ; read++) {
            const wanted = { ...rest, query: { ...query, [cursor]: from } };
            const part = await call<DataOf<Get<Path>>>('get', path, wanted, signal);
            from = next(part);
            if (!isEmpty(part) || from == null || read === maxEmptyPages) return part;
          }
        },
        initialPageParam: undefined as Cursor | undefined,
        getNextPageParam: (part) => next(part),
      }),

    /**
     * Returns the query for a list of the API that is read by cursor, in parts. A part without entries means that
     * none was found yet: then some of the next ones are read too.
     */
    askedByCursor: <Path extends PathOf<Paths, 'get'>>(
      path: Path,
      input: ParametersOf<Get<Path>>,
    ) =>
      infiniteQueryOptions({
        queryKey: [base, path, keyed(input), 'parts'] as const,
        queryFn: async ({ pageParam, signal }) => {
          const { query, ...rest } = input as Input;
          let after: string | null | undefined = pageParam;
          for (let read = 1; ; read++) {
            const page = { ...rest, query: { ...query, after } };
            const { data, pagination } = (await request('get', path, page, signal)) as CursorPage<
              DataOf<Get<Path>>
            >;
            after = pagination.next;
            if (data.length > 0 || after === null || read === maxEmptyPages) {
              return { entries: data, after };
            }
          }
        },
        initialPageParam: undefined as string | undefined,
        getNextPageParam: (part) => part.after,
      }),

    /** Returns the beginning of the keys of all queries for a path, or for some of its parameters. */
    key: <Path extends PathOf<Paths, 'get'>>(
      path: Path,
      input?: DeepPartial<ParametersOf<Get<Path>>>,
    ): readonly unknown[] => (input ? [base, path, keyed(input)] : [base, path]),

    /** The address below which the paths are. */
    base,

    /** The beginning of the keys of all queries below this address. */
    allKeys: [base] as readonly unknown[],

    /** Returns the address of a file or a stream. */
    address: <Path extends PathOf<Paths, 'get'>>(
      path: Path,
      ...[input]: Optional<ParametersOf<Get<Path>>>
    ): string => addressOf(path, (input ?? {}) as Input),
  };
}

/**
 * Reads the JSON of a response; undefined if it has none.
 *
 * @throws if a success is not JSON, such as the page of a proxy
 */
async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  try {
    return JSON.parse(text);
  } catch (error) {
    if (response.ok) throw error;
    return undefined;
  }
}

/** Makes 5 and '5' the same in a key, as they are in an address. */
function keyed(input: unknown): object {
  const { path, ...rest } = (input ?? {}) as Input;
  if (!path) return rest;
  const values = Object.entries(path).map(([name, value]) => [name, String(value)]);
  return { path: Object.fromEntries(values), ...rest };
}

/** Writes the parameters that are given. */
function writeQuery(query: object = {}): string {
  const entries = Object.entries(query).filter(
    ([, value]) => value !== undefined && value !== null && value !== '',
  );
  return new URLSearchParams(
    entries.map(([name, value]): [string, string] => [name, String(value)]),
  ).toString();
}
