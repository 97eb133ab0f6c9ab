import type { FastifyRequest } from 'fastify';
import type { Network } from '../network.ts';
import type { SimulatedNumber } from '../types.ts';
import { GraphError } from './graph-errors.ts';

/** The token of the request; empty without one. */
export function bearer(request: FastifyRequest): string {
  const header = request.headers.authorization ?? '';
  return /^bearer /i.test(header) ? header.slice(7).trim() : '';
}

/** The number of the path, when the token is its own. */
export function numberOf(network: Network, request: FastifyRequest): SimulatedNumber {
  const { id } = request.params as { id: string };
  const number = network.state.numbers.get(id);
  if (number && bearer(request) === number.access_token) return number;
  throw denied(network, request, id);
}

/** A number of the business account of the path whose token this is. */
export function accountOf(
  network: Network,
  request: FastifyRequest,
  id = (request.params as { id: string }).id,
): SimulatedNumber {
  const token = bearer(request);
  for (const number of network.state.numbers.values()) {
    if (number.business_account_id !== id || number.access_token !== token) continue;
    refuseLookup(network, number);
    return number;
  }
  throw denied(network, request, id);
}

/** The knob that makes everything but sends fail. */
export function refuseLookup(network: Network, number: SimulatedNumber): void {
  const { lookupStatus } = network.behaviours.peek(number.phone_number_id, null);
  if (lookupStatus) throw GraphError.ofStatus(lookupStatus);
}

/** A token that nobody has is 190; a good one that has no right here learns nothing of the object. */
export function denied(network: Network, request: FastifyRequest, id: string): GraphError {
  const token = bearer(request);
  for (const number of network.state.numbers.values()) {
    if (number.access_token === token) return GraphError.unknownObject(request.method, id);
  }
  return GraphError.of(190);
}
