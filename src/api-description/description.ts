/** The parts of an OpenAPI 3.1 document that the code reads. */
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
