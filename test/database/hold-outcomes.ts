import type pg from 'pg';
import { onTestFinished } from 'vitest';
import type { TestApp, TestTenant } from '../program/app.ts';
import { holdLocks } from './locks.ts';

/**
 * Blocks the process that stores the outcome of a send of the tenant, in the middle of its statement,
 * until the returned transaction ends. An unknown outcome is not held.
 */
export async function holdOutcomes(app: TestApp, { id }: TestTenant): Promise<pg.Client> {
  await app.db.pool.query(`
    create function wait_for_test() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${id});
      return new;
    end $$;
    create trigger wait_for_test before insert on message_states
      for each row when (new.tenant_id = ${id} and new.status <> 'unknown') execute function wait_for_test()`);
  onTestFinished(async () => {
    await app.db.pool.query('drop function wait_for_test cascade');
  });
  return holdLocks(app, 'select pg_advisory_xact_lock($1)', [id]);
}
