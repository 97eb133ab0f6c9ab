import type { Client } from '../client.ts';
import type { Scene } from '../scene.ts';
import type { Tally } from '../tally.ts';

/** The arguments of a campaign: the running service, the tally, the number of inputs, and the seed. */
export type Attack = {
  scene: Scene;
  tally: Tally;
  client: Client;
  /** The approximate number of inputs to send. */
  inputs: number;
  seed: number;
  /** The maximum number of concurrent requests. */
  width: number;
};
