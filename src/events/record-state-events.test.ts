import sql from 'sql-template-tag';
import { expect, test } from 'vitest';
import { eventually } from '../../test/checks/eventually.ts';
import { type TestTenant, testApp } from '../../test/program/app.ts';
import { control } from '../../test/servers/control.ts';
import { recordStateChanges } from '../numbers/state/record-state-changes.ts';
import { reportProblem } from '../numbers/state/report-problem.ts';
import { fault } from '../platform/errors/fault.ts';
import { syncTemplates } from '../templates/syncing/sync-templates.ts';

const app = testApp();

/** The events in the outbox, which nobody publishes here. */
async function recorded({ id }: TestTenant) {
  const { rows } = await app.db.query<{ event: string; data: string }>(sql`
    select event, data from event_outbox where tenant_id = ${id} and message_id is null order by id`);
  return rows.map(({ event, data }) => ({ event, data: JSON.parse(data) }));
}

test('a template whose status changes is one event, reported or found by a sync', async () => {
  const shop = await app.tenant();
  await syncTemplates(app.services, shop.id);
  const { business_account_id } = shop.number;
  const name = 'order_update';
  const change = (status: string) =>
    control(app, 'PATCH', '/simulator/templates', {
      business_account_id,
      name,
      language: 'en',
      status,
    });
  await change('PAUSED');
  await eventually(async () => (await recorded(shop)).length === 1);
  // The sync that follows the report finds nothing new.
  await syncTemplates(app.services, shop.id);
  await app.db.query(sql`
    update templates set status = 'PENDING' where tenant_id = ${shop.id} and name = ${name}
      and language = 'en'`);
  await syncTemplates(app.services, shop.id);
  const template = { name, language: 'en', business_account_id };
  expect(await recorded(shop)).toMatchObject([
    {
      event: 'template.status_changed',
      data: { ...template, status: 'PAUSED', previous_status: 'APPROVED' },
    },
    {
      event: 'template.status_changed',
      data: { ...template, status: 'PAUSED', previous_status: 'PENDING' },
    },
  ]);
});

test('a number whose state changes is one event, also if time alone changes it', async () => {
  const shop = await app.tenant();
  const compare = () => recordStateChanges(app.db, 60);
  await compare();
  await compare();
  await reportProblem(
    app.services,
    { tenantId: shop.id, id: shop.number.id },
    fault('for_a_test', 'It is blocked.'),
  );
  await compare();
  await app.db.query(sql`
    update numbers set problem = null, received_at = now() where tenant_id = ${shop.id}`);
  await compare();
  await app.db.query(sql`
    update numbers set unheard_since = now() - interval '2 hours' where tenant_id = ${shop.id}`);
  await compare();
  const { phone_number_id } = shop.number;
  const states = ['not_verified', 'does_not_work', 'works', 'does_not_work'];
  expect(await recorded(shop)).toMatchObject(
    states.slice(1).map((state, index) => ({
      event: 'number.state_changed',
      data: { phone_number_id, state, previous_state: states[index] },
    })),
  );
  expect((await recorded(shop))[0]!.data.problem).toBe('It is blocked.');
});
