import { type Credentials, type Graph, type LookUp, readLookUp } from '../graph.ts';

/**
 * Registers a number with the network. The network takes at most 10 attempts in 72 hours.
 *
 * @param pin six digits: the number's own PIN, or a new one if it has none
 */
export async function registerNumber(
  graph: Graph,
  credentials: Credentials,
  pin: string,
): Promise<LookUp<true>> {
  const path = `/${encodeURIComponent(credentials.phoneNumberId)}/register`;
  const body = { messaging_product: 'whatsapp', pin };
  return readLookUp(await graph.call(credentials, 'POST', path, body), readSuccess);
}

/** Reads `{success: true}`, the network's response to a change. */
export function readSuccess(body: object): true | undefined {
  return (body as { success?: unknown }).success === true || undefined;
}
