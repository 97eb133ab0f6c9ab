import { type GraphError, readGraphError } from './errors.ts';
import type { Credentials, Graph } from './graph.ts';
import { record, storable, string } from './json.ts';

/** Messages a second of a number that the network has upgraded (its documentation, November 2026). */
const upgradedPerSecond = 1_000;

/** What the network does not say is undefined; `messagesPerSecond` is null for the usual. */
export type NumberLookUp =
  | {
      outcome: 'found';
      displayPhoneNumber: string | undefined;
      messagesPerSecond: number | null | undefined;
    }
  | { outcome: 'refused'; error: GraphError }
  | { outcome: 'unreachable'; cause: unknown };

/** What the network says of a number, or why it says nothing. */
export async function lookUpNumber(graph: Graph, credentials: Credentials): Promise<NumberLookUp> {
  const path = `/${encodeURIComponent(credentials.phoneNumberId)}?fields=display_phone_number,throughput`;
  const answer = await graph.call(credentials, 'GET', path);
  if (!answer.answered) return { outcome: 'unreachable', cause: answer.cause };
  const { status, body } = answer;
  if (status !== 200) return { outcome: 'refused', error: readGraphError(status, body) };
  const level = string(record(body?.throughput)?.level)?.toUpperCase();
  const messagesPerSecond =
    level === 'HIGH' ? upgradedPerSecond : level === 'STANDARD' ? null : undefined;
  const phone = string(body?.display_phone_number);
  return {
    outcome: 'found',
    displayPhoneNumber: phone && storable(phone).slice(0, 50),
    messagesPerSecond,
  };
}
