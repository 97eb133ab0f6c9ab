/** What one campaign has sent and received. */
export type Counts = { inputs: number; statuses: Record<string, number>; cut: number };

/** A fault of the service. Each one fails the run. */
export type Fault = {
  kind: 'server error' | 'hang' | 'leak' | 'breach';
  campaign: string;
  detail: string;
};

/** The maximum number of faults with details; further ones are only counted. */
const maxDetails = 50;

/** Counts inputs and collects faults over all campaigns. */
export class Tally {
  readonly campaigns = new Map<string, Counts>();
  readonly faults: Fault[] = [];
  readonly #counts = new Map<Fault['kind'], number>();

  /** Counts one input and the HTTP status of its response; undefined if the connection was cut. */
  add(campaign: string, status: number | undefined): void {
    const counts = this.#countsOf(campaign);
    counts.inputs++;
    if (status === undefined) counts.cut++;
    else counts.statuses[status] = (counts.statuses[status] ?? 0) + 1;
  }

  fault(fault: Fault): void {
    this.#counts.set(fault.kind, this.countOf(fault.kind) + 1);
    if (this.faults.length < maxDetails) this.faults.push(fault);
  }

  get inputs(): number {
    return [...this.campaigns.values()].reduce((sum, { inputs }) => sum + inputs, 0);
  }

  countOf(kind: Fault['kind']): number {
    return this.#counts.get(kind) ?? 0;
  }

  #countsOf(campaign: string): Counts {
    const known = this.campaigns.get(campaign);
    if (known) return known;
    const counts = { inputs: 0, statuses: {}, cut: 0 };
    this.campaigns.set(campaign, counts);
    return counts;
  }
}
