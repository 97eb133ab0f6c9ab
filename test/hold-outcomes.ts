import pg from 'pg';
import { onTestFinished } from 'vitest';
import type { TestApp, TestTenant } from './app.ts';

/**
 * Holds up whoever writes down what became of a message of the tenant, once it has locked its row.
 *
 * @returns lets it go on
 */
export async function holdOutcomes(app: TestApp, { id }: TestTenant): Promise<() => Promise<void>> {
  const client = new pg.Client(app.connection);
  await client.connect();
  await client.query(`
    create function wait_for_test() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${id});
      return new;
    end $$;
    create trigger wait_for_test before update on messages
      for each row when (new.tenant_id = ${id}) execute function wait_for_test();
    select pg_advisory_lock(${id})`);
  onTestFinished(async () => {
    await client.query('drop function wait_for_test cascade');
    await client.end();
  });
  return async () => {
    await client.query(`select pg_advisory_unlock(${id})`);
  };
}
