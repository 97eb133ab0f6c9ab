import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import type { Db } from '../platform/database/database.ts';
import type { Services } from '../services.ts';
import { findMove, findTenantId, type Move, tryLockMove } from './move-queries.ts';
import { listTenantAddresses } from './proxy/cell-map.ts';
import type { createProxy, Routed } from './proxy/proxy.ts';

/** This cell, the one that a tenant moves to, and the proxy in front of both. */
export type Cells = {
  here: Services;
  there: Services;
  proxy: Pick<ReturnType<typeof createProxy>, 'check' | 'hold' | 'route'>;
};

/** The tenant cannot be moved, or its move cannot be finished or cancelled in this way. */
export class MoveRefused extends Error {
  override name = 'MoveRefused';
}

export type MoveSession = {
  /** Connections to this cell and to the other one. */
  hereDb: Db;
  thereDb: Db;
  slug: string;
  tenantId: number;
  move: Move | undefined;
};

/**
 * Does a step with the move of a tenant. Only one process does so at a time, for as long as it lives.
 *
 * @throws MoveRefused if there is no such tenant, or another process moves it
 */
export async function withMove<Result>(
  { here, there }: Cells,
  slug: string,
  work: (session: MoveSession) => Promise<Result>,
): Promise<Result> {
  const hereDb = await here.db.connect();
  try {
    await lock(hereDb, slug);
    const thereDb = await there.db.connect();
    try {
      const tenantId = await findTenantId(hereDb, slug);
      if (tenantId === undefined) throw new MoveRefused(`There is no tenant "${slug}" here.`);
      return await work({ hereDb, thereDb, slug, tenantId, move: await findMove(hereDb, slug) });
    } finally {
      await thereDb.end();
    }
  } finally {
    await hereDb.end();
  }
}

/** Finds the keys that the proxy routes, which change: numbers and stores are added while the tenant is copied. */
export async function findRouted({ hereDb, slug, tenantId }: MoveSession): Promise<Routed> {
  return { slug, addresses: await listTenantAddresses(hereDb, tenantId) };
}

/** The server notices within this time that a process which had the lock was killed. */
const lockWithinMs = 10_000;

async function lock(hereDb: pg.ClientBase, slug: string): Promise<void> {
  const until = performance.now() + lockWithinMs;
  while (!(await tryLockMove(hereDb, slug))) {
    if (performance.now() > until) {
      throw new MoveRefused(`Another process moves ${slug} at this moment.`);
    }
    await sleep(200);
  }
}
