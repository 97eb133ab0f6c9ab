import { type Behaviours, createBehaviours } from './behaviour.ts';
import { createOutbox, type Outbox } from './callbacks/outbox.ts';
import { createRateLimits, type RateLimits } from './graph/messages/rate-limits.ts';
import { createMediaStore, type MediaStore } from './media.ts';
import { createState, type SimulatorState } from './state.ts';
import type { Later, Limits, Log } from './types.ts';

/** The simulated network: its state, its behaviour, and its callbacks to the businesses. */
export type Network = {
  state: SimulatorState;
  behaviours: Behaviours;
  limits: RateLimits;
  media: MediaStore;
  outbox: Outbox;
  log: Log;
  /** The limits of a new number, unless it is created with others. */
  newLimits: Limits;
  /** Runs a callback later, unless the simulator is closed by then. Does not keep the process alive. */
  later: Later;
  close(): Promise<void>;
};

export function createNetwork(
  log: Log,
  mediaFolder: string | null,
  { window }: { window: boolean },
): Network {
  const state = createState();
  const behaviours = createBehaviours(() => state.changes.emit('behaviour'));
  let closed = false;
  const later: Later = (ms, run) => {
    setTimeout(() => {
      if (!closed) run();
    }, ms).unref();
  };
  const outbox = createOutbox({ state, behaviours, log, later });
  return {
    state,
    behaviours,
    limits: createRateLimits(),
    media: createMediaStore(mediaFolder),
    outbox,
    log,
    newLimits: {
      messages_per_second: 80,
      pair: true,
      window,
      us_marketing: false,
      public_links: false,
    },
    later,
    async close() {
      closed = true;
      await outbox.close();
    },
  };
}
