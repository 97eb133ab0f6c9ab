import type { NumberRow } from '../../src/numbers/queries.ts';
import { eventually } from '../checks/eventually.ts';
import type { TestApp, TestTenant } from '../program/app.ts';
import { control } from './control.ts';

/** Opens the tenant's chat on a phone, which sends the service a read report for its one message there. */
export async function readOnThePhone(app: TestApp, shop: TestTenant, phone: string): Promise<void> {
  const chat = { phone_number_id: shop.number.phone_number_id };
  const path = `/simulator/phones/${phone.replace('+', '')}/read`;
  // A message that is still on its way to the phone cannot be read.
  await eventually(async () => (await control(app, 'POST', path, chat)).read === 1);
}

/** Lists the messages between the simulator's phones and a tenant's number, oldest first. */
// biome-ignore lint/suspicious/noExplicitAny: tests read messages of every shape
export async function onThePhone(app: TestApp, shop: TestTenant): Promise<any[]> {
  const path = `/simulator/messages?phone_number_id=${shop.number.phone_number_id}`;
  return (await control(app, 'GET', path)).messages;
}

/** Sends a text from a phone to a number, and waits until the service has received it. */
export async function writeTo(
  app: TestApp,
  number: Pick<NumberRow, 'tenant_id' | 'phone_number_id'>,
  phone: string,
  text: string,
): Promise<void> {
  const { phone_number_id } = number;
  const message = { phone_number_id, from: phone, text };
  const { message_id } = await control(app, 'POST', '/simulator/inbound', message);
  await eventually(async () => {
    const { rowCount } = await app.db.pool.query(
      'select from stored_messages where tenant_id = $1 and network_id = $2',
      [number.tenant_id, message_id],
    );
    return rowCount === 1;
  });
}
