import sql from 'sql-template-tag';
import { connectNumber } from '../../src/numbers/connecting/connect-number.ts';
import { rollUpMessages } from '../../src/overview/roll-up-messages.ts';
import { setWebhook } from '../../src/webhooks/set-webhook.ts';
import { insertMember, insertSession } from '../../test/features/insert-member.ts';
import type { openPlace } from '../open-place.ts';
import { seedContacts } from '../seed-contacts.ts';
import { seedMessages } from '../seed-messages.ts';

/**
 * Creates a tenant with 10,000 contacts, 24,000 messages and 2,000 deliveries.
 *
 * @returns the cookie of an owner
 */
export async function seedShop(place: Awaited<ReturnType<typeof openPlace>>): Promise<string> {
  const { services } = place;
  const shop = await seedContacts(services, 'shop', 10_000, 3);
  await connectNumber(services, shop.id, {
    phoneNumberId: '1',
    businessAccountId: '1',
    accessToken: 'token',
    appSecret: 'secret',
    displayPhoneNumber: '+14155550100',
  });
  await seedMessages(place, shop.id, 24_000);
  // The messages were inserted as if they had been counted.
  await services.db.query(sql`
    update message_walks set done_to = 0, horizon = pg_snapshot_xmin(pg_current_snapshot())
    where name = 'outcomes'`);
  await rollUpMessages(services.db, { settleMs: 0 });
  await setWebhook(services, shop.id, { url: 'https://hooks.example.com/parley' });
  await services.db.query(sql`
    insert into deliveries (tenant_id, event, body, state, tries, attempts, finished_at)
    select ${shop.id}, 'contact.created',
           json_build_object('event', 'contact.created', 'data', json_build_object('id', n))::text,
           'delivered', 1, 1, now()
    from generate_series(1, 2000) as n`);
  const person = { email: 'ada@example.com', name: 'Ada', password: 'correct horse' };
  return insertSession(services, await insertMember(services.db, shop.id, 'owner', person));
}
