import { createBatch } from '../platform/database/batching.ts';
import type { Database } from '../platform/database/database.ts';
import type { MoveRate, RateMove } from '../whatsapp/rates/rate-position.ts';
import { moveRates } from './rate-queries.ts';

/** Moves the positions of all rates about which this process asks at the same time, in one statement. */
export function createRateMover({ batched }: Database): MoveRate {
  return createBatch<RateMove, number>({ run: (moves) => moveRates(batched, moves), maxSize: 500 });
}
