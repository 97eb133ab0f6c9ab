import { type GraphError, readGraphError } from './errors.ts';
import type { Credentials, Graph } from './graph.ts';
import { record, string } from './json.ts';

/** Messages a second of a number that the network has upgraded (its documentation, November 2026). */
const upgradedPerSecond = 1_000;

/** `messagesPerSecond` is null for the usual, undefined when the network does not say. */
export type NumberLookUp =
  | { outcome: 'found'; messagesPerSecond: number | null | undefined }
  | { outcome: 'refused'; error: GraphError }
  | { outcome: 'unreachable'; cause: unknown };

/** What the network says of a number, or why it says nothing. */
export async function lookUpNumber(graph: Graph, credentials: Credentials): Promise<NumberLookUp> {
  const path = `/${encodeURIComponent(credentials.phoneNumberId)}?fields=throughput`;
  const answer = await graph.call(credentials, 'GET', path);
  if (!answer.answered) return { outcome: 'unreachable', cause: answer.cause };
  const { status, body } = answer;
  if (status !== 200) return { outcome: 'refused', error: readGraphError(status, body) };
  const level = string(record(body?.throughput)?.level)?.toUpperCase();
  const messagesPerSecond =
    level === 'HIGH' ? upgradedPerSecond : level === 'STANDARD' ? null : undefined;
  return { outcome: 'found', messagesPerSecond };
}
