import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { testApp } from '../test/app.ts';
import { startWorkers } from './workers.ts';

const app = testApp({ PARLEY_MESSAGE_RETENTION_DAYS: '30' });

test('the end of a process waits for one step of what is pruned, and not for all of it', async () => {
  const { id: tenantId, number } = await app.tenant();
  await app.db.query(sql`
    insert into messages (tenant_id, number_id, direction, phone, kind, status, content, created_at)
    select ${tenantId}, ${number.id}, 'out', '+4915112345678', 'text', 'sent', '{}',
           now() - interval '40 days'
    from generate_series(1, 3000)`);
  await app.db.query(sql`
    insert into bot_answers (tenant_id, inbound_id, phone, state, created_at, answered_at, settled_at)
    select ${tenantId}, n, '+4915112345678', 'skipped', moment.at, moment.at, moment.at
    from generate_series(1, 3000) as n, (values (now() - interval '40 days')) as moment (at)`);
  await startWorkers(app.services)();
  const { rows } = await app.db.query<{ messages: number; answers: number }>(sql`
    select (select count(*) from messages) as messages,
           (select count(*) from bot_answers) as answers`);
  expect(rows[0]!.messages).toBeGreaterThan(0);
  expect(rows[0]!.answers).toBeGreaterThan(0);
});
