import type pg from 'pg';
import { onTestFinished } from 'vitest';
import type { TestApp, TestTenant } from './app.ts';
import { holdLocks } from './locks.ts';

/**
 * Holds up whoever writes down what became of a message of the tenant, once it has locked its row, until
 * the transaction that is returned ends.
 */
export async function holdOutcomes(app: TestApp, { id }: TestTenant): Promise<pg.Client> {
  await app.db.pool.query(`
    create function wait_for_test() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${id});
      return new;
    end $$;
    create trigger wait_for_test before update on messages
      for each row when (new.tenant_id = ${id}) execute function wait_for_test()`);
  onTestFinished(async () => {
    await app.db.pool.query('drop function wait_for_test cascade');
  });
  return holdLocks(app, 'select pg_advisory_xact_lock($1)', [id]);
}
