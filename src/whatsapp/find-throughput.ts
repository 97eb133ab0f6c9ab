import type { Credentials, Graph } from './graph.ts';
import { record, string } from './json.ts';

/** Messages a second of a number that the network has upgraded (its documentation, November 2026). */
const upgradedPerSecond = 1_000;

/** Messages a second of a number: null for the usual, undefined when the network does not say. */
export async function findThroughput(
  graph: Graph,
  credentials: Credentials,
): Promise<number | null | undefined> {
  const path = `/${encodeURIComponent(credentials.phoneNumberId)}?fields=throughput`;
  const answer = await graph.call(credentials, 'GET', path);
  if (!answer.answered || answer.status !== 200) return undefined;
  const level = string(record(answer.body?.throughput)?.level)?.toUpperCase();
  if (level === 'HIGH') return upgradedPerSecond;
  return level === 'STANDARD' ? null : undefined;
}
