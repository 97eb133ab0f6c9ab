import type { DeliveryData } from '../../../api/records.ts';

/** Fewer than this many in a row stay apart. */
const minAlike = 4;

type Shown = Pick<DeliveryData, 'event' | 'state'> & { attempts: { status: number | null }[] };

/**
 * Groups the deliveries of a list that follow each other with the same event, state and response, so that many alike
 * take one row.
 */
export function groupAlike<Delivery extends Shown>(deliveries: readonly Delivery[]): Delivery[][] {
  const runs: Delivery[][] = [];
  for (const delivery of deliveries) {
    const run = runs.at(-1);
    if (run && lookOf(run[0]!) === lookOf(delivery)) run.push(delivery);
    else runs.push([delivery]);
  }
  return runs.flatMap((run) => (run.length < minAlike ? run.map((each) => [each]) : [run]));
}

function lookOf({ event, state, attempts }: Shown): string {
  return `${event} ${state} ${attempts.at(-1)?.status}`;
}
