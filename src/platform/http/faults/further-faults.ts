import type { FastifyRequest } from 'fastify';
import { ApiError, type FieldErrors, invalid } from '../../errors/api-error.ts';

declare module 'fastify' {
  interface FastifyContextConfig {
    /**
     * Finds the faults of a body that its schema cannot see, such as a name that is taken. Called when
     * the schema refuses the body, so that the caller gets all faults together. A valid body is checked
     * by the handler, at no further cost.
     *
     * @param body the fields without a fault, each as its schema asks
     */
    furtherFaults?: (request: FastifyRequest, body: never) => Promise<FieldErrors>;
  }
}

/** Adds the faults that the route's `furtherFaults` finds to a refusal of the body by its schema. */
export async function addFurtherFaults(error: unknown, request: FastifyRequest): Promise<unknown> {
  const { furtherFaults } = request.routeOptions.config;
  if (!furtherFaults || !(error instanceof ApiError) || !isOfBodySchema(error)) return error;
  const faulty = new Set(Object.keys(error.errors).map((field) => field.split('.')[0]));
  const valid = Object.entries(request.body as object).filter(([field]) => !faulty.has(field));
  const further = await furtherFaults(request, Object.fromEntries(valid) as never);
  // A check may depend on a field that is faulty already: the schema's message stays.
  return invalid({ ...error.faults, ...further, ...error.faults }, error.cause);
}

/** Fastify notes on the error which part of the request failed its schema. */
function isOfBodySchema(error: ApiError & { validationContext?: string }): boolean {
  return error.kind === 'invalid' && error.validationContext === 'body';
}
