import type { FastifyRequest } from 'fastify';
import type { Network } from '../network.ts';
import type { SimulatedNumber } from '../types.ts';
import { GraphError } from './graph-errors.ts';

/** Returns the bearer token of a request, or an empty string. */
export function bearer(request: FastifyRequest): string {
  const header = request.headers.authorization ?? '';
  return /^bearer /i.test(header) ? header.slice(7).trim() : '';
}

/** Returns the number of the path if the token belongs to it and is valid. */
export function numberOf(network: Network, request: FastifyRequest): SimulatedNumber {
  const { id } = request.params as { id: string };
  const number = network.state.numbers.get(id);
  if (!number || bearer(request) !== number.access_token) throw denied(network, request, id);
  refuseExpired(number);
  return number;
}

/** Throws unless the token of the number has a scope: without it the token may do nothing of the kind. */
export function requireScope({ token }: SimulatedNumber, scope: string): void {
  if (!token.scopes.includes(scope)) throw GraphError.of(200);
}

function refuseExpired({ token }: SimulatedNumber): void {
  const endsAt = new Date(token.expires_at * 1_000);
  if (token.expires_at !== 0 && endsAt.getTime() <= Date.now()) throw GraphError.expired(endsAt);
}

/** Returns the number of the business account of the path to which the token belongs. */
export function accountOf(
  network: Network,
  request: FastifyRequest,
  id = (request.params as { id: string }).id,
): SimulatedNumber {
  const token = bearer(request);
  for (const number of network.state.numbers.values()) {
    if (number.business_account_id !== id || number.access_token !== token) continue;
    refuseExpired(number);
    requireScope(number, 'whatsapp_business_management');
    failLookup(network, number);
    return number;
  }
  throw denied(network, request, id);
}

/** Throws if the knob `lookupStatus` is set: it makes everything but sends fail. */
export function failLookup(network: Network, number: SimulatedNumber): void {
  const { lookupStatus } = network.behaviours.peek(number.phone_number_id, null);
  if (lookupStatus) throw GraphError.ofStatus(lookupStatus);
}

/** Whether a request has the token of some number. */
export function hasKnownToken({ state }: Network, request: FastifyRequest): boolean {
  const token = bearer(request);
  return [...state.numbers.values()].some(
    (number) => number.access_token === token || appToken(number) === token,
  );
}

/** The token with which an app acts for itself. */
export function appToken({ app_id, app_secret }: SimulatedNumber): string {
  return `${app_id}|${app_secret}`;
}

/** The error for a wrong token: 190 if no number has it, otherwise the same as for a missing object. */
export function denied(network: Network, request: FastifyRequest, id: string): GraphError {
  const token = bearer(request);
  for (const number of network.state.numbers.values()) {
    if (number.access_token === token) return GraphError.unknownObject(request.method, id);
  }
  return GraphError.of(190);
}
