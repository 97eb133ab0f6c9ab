/** Types of calls, derived from the generated types of the routes in `schema.ts`. */

export type Method = 'get' | 'post' | 'put' | 'delete';

/** The paths that take a method. */
export type PathOf<Paths, Name extends Method> = {
  [Path in keyof Paths]: Paths[Path] extends { [K in Name]: unknown } ? Path : never;
}[keyof Paths] &
  string;

/** The operation of a path and a method. */
export type OperationOf<
  Paths,
  Path extends keyof Paths,
  Name extends Method,
> = Name extends keyof Paths[Path] ? Paths[Path][Name] : never;

/** The input of a call: parameters in the path and in the query, and the body. */
export type InputOf<Operation> = ParametersOf<Operation> & BodyOf<Operation>;

/** The parameters of a call alone. */
export type ParametersOf<Operation> = Operation extends { parameters: infer Given }
  ? Pick<Given, keyof Given & ('path' | 'query')>
  : never;

type BodyOf<Operation> = Operation extends { requestBody: { content: infer Content } }
  ? { body: Content[keyof Content] }
  : { body?: never };

/** An argument that can be left out if nothing in it is required. */
export type Optional<Input> = Partial<Input> extends Input ? [input?: Input] : [input: Input];

/** The JSON of a response. */
export type ResponseOf<Operation> = Operation extends {
  responses: { 200: { content: { 'application/json': infer Body } } };
}
  ? Body
  : never;

/** The `data` of a response. */
export type DataOf<Operation> =
  ResponseOf<Operation> extends { data: infer Data } ? Data : undefined;

/** A value with any of its fields left out, at every depth. */
export type DeepPartial<Value> = Value extends object
  ? { [Name in keyof Value]?: DeepPartial<Value[Name]> }
  : Value;
