/** What a person reads about an operation; everything else comes from its route. */
export type Words = {
  operationId: string;
  tag: string;
  summary: string;
  description?: string;
  /** An example of the body, or several with a name each. */
  request?: object | { name: string; summary: string; value: object }[];
  /** What the answer 200 means, and an example of it. */
  success?: string;
  answer?: object;
  /** What can be wrong with which field; made from the schema when absent. */
  faults?: Record<string, string[]>;
  /** Of an operation that is not a tenant's: its bodies and answers. */
  content?: object;
  answers?: Record<string, object>;
};

/** By method and path, such as `GET /api/{tenant}/contacts`. */
export type WordList = Record<string, Words>;
