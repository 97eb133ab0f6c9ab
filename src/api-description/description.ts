/** An OpenAPI 3.1 document; what is in it is decided by the routes. */
export type ApiDescription = {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object>; [kind: string]: object };
  [part: string]: unknown;
};

export type Operation = {
  operationId: string;
  responses: Record<string, object>;
  [part: string]: unknown;
};
