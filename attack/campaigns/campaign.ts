import type { Client } from '../client.ts';
import type { Scene } from '../scene.ts';
import type { Tally } from '../tally.ts';

/** What a campaign is given: the running service, where to count, how much to send, and its dice. */
export type Attack = {
  scene: Scene;
  tally: Tally;
  client: Client;
  /** About how many inputs to send. */
  inputs: number;
  seed: number;
  /** How many requests may be under way at once. */
  width: number;
};
