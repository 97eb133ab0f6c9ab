import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Services } from '../services.ts';
import { findMove, findTenantId, type Move, tryLockMove } from './move-queries.ts';
import type { createProxy } from './proxy.ts';

/** This cell, the one that a tenant moves to, and the proxy in front of both. */
export type Cells = {
  source: Services;
  target: Services;
  proxy: Pick<ReturnType<typeof createProxy>, 'check' | 'hold' | 'route'>;
};

/** The tenant cannot be moved, or its move cannot be ended in this way. */
export class MoveRefused extends Error {
  override name = 'MoveRefused';
}

export type MoveSession = {
  /** Connections to this cell and to the other one. */
  here: pg.Client;
  there: pg.Client;
  tenantId: number;
  move: Move | undefined;
};

/**
 * Does a step with the move of a tenant. Only one process does so at a time, for as long as it lives.
 *
 * @throws MoveRefused if there is no such tenant, or another process moves it
 */
export async function withMove<Result>(
  { source, target }: Cells,
  slug: string,
  work: (session: MoveSession) => Promise<Result>,
): Promise<Result> {
  const here = await source.db.connect();
  try {
    await lock(here, slug);
    const there = await target.db.connect();
    try {
      const tenantId = await findTenantId(here, slug);
      if (tenantId === undefined) throw new MoveRefused(`There is no tenant "${slug}" here.`);
      return await work({ here, there, tenantId, move: await findMove(here, slug) });
    } finally {
      await there.end();
    }
  } finally {
    await here.end();
  }
}

/** The server notices within this time that a process which had the lock was killed. */
const lockWithinMs = 10_000;

async function lock(here: pg.ClientBase, slug: string): Promise<void> {
  const until = performance.now() + lockWithinMs;
  while (!(await tryLockMove(here, slug))) {
    if (performance.now() > until) {
      throw new MoveRefused(`Another process moves ${slug} at this moment.`);
    }
    await sleep(200);
  }
}
