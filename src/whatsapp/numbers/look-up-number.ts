import { type GraphError, readGraphError } from '../errors.ts';
import type { Credentials, Graph } from '../graph.ts';
import { record, shortText, string } from '../json.ts';

/**
 * Messages per second of a number that the network has upgraded (its documentation, November 2026).
 */
const upgradedPerSecond = 1_000;

/**
 * Fields that the network does not return are undefined; `messagesPerSecond` is null for the
 * default.
 */
export type NumberLookUp =
  | {
      outcome: 'found';
      displayPhoneNumber: string | undefined;
      /** The name that people see. */
      verifiedName: string | null;
      messagesPerSecond: number | null | undefined;
    }
  | { outcome: 'refused'; error: GraphError }
  | { outcome: 'unreachable'; cause: unknown };

/** Looks up a number's phone and throughput at the network. */
export async function lookUpNumber(graph: Graph, credentials: Credentials): Promise<NumberLookUp> {
  const path = `/${encodeURIComponent(credentials.phoneNumberId)}?fields=display_phone_number,verified_name,throughput`;
  const result = await graph.call(credentials, 'GET', path);
  if (!result.received) return { outcome: 'unreachable', cause: result.cause };
  const { status, body } = result;
  if (status !== 200) return { outcome: 'refused', error: readGraphError(status, body) };
  const level = string(record(body?.throughput)?.level)?.toUpperCase();
  const messagesPerSecond =
    level === 'HIGH' ? upgradedPerSecond : level === 'STANDARD' ? null : undefined;
  return {
    outcome: 'found',
    displayPhoneNumber: shortText(body?.display_phone_number) ?? undefined,
    verifiedName: shortText(body?.verified_name),
    messagesPerSecond,
  };
}
