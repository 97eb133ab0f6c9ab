import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { testApp } from '../../test/program/app.ts';
import { forgetOldWork } from './forget-old-work.ts';

const app = testApp();

test('imports and bulk changes are deleted 30 days after their end', async () => {
  const { id } = await app.tenant({ number: false });
  await app.db.query(sql`
    insert into contact_imports (tenant_id, filename, bytes, state, started_at, heard_at)
    values (${id}, 'old', 1, 'done', now() - interval '31 days', now() - interval '31 days'),
           (${id}, 'long', 1, 'done', now() - interval '31 days', now() - interval '29 days'),
           (${id}, 'cut off', 1, 'running', now() - interval '31 days', now() - interval '31 days')`);
  await app.db.query(sql`
    insert into contact_bulk_changes (tenant_id, filter, change, state, up_to_id, contacts,
                                      started_at, ended_at)
    select ${id}, '{}', '{}', state, 0, n, now() - interval '40 days',
           case when state <> 'running' then now() - n * interval '1 day' end
    from (values ('done', 31), ('failed', 32), ('stopped', 29), ('running', 0)) as bulk (state, n)`);
  await forgetOldWork(app.db);
  const { rows } = await app.db.query(sql`
    select array(select filename from contact_imports) as imports,
           array(select state from contact_bulk_changes order by id) as bulks`);
  expect(rows).toEqual([{ imports: ['long'], bulks: ['stopped', 'running'] }]);
});
