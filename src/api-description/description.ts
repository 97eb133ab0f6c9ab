/** An OpenAPI 3.1 document, as far as the code reads it. */
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
