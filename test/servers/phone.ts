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
