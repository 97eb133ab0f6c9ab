import { toast } from './dom.js';
import { call } from './network.js';
import { store } from './store.js';

/** Sends an inbound message of any type from the chosen phone. */
export async function write(message) {
  try {
    await call('POST', '/simulator/inbound', {
      phone_number_id: store.numberId,
      from: store.phone,
      ...message,
    });
  } catch (error) {
    toast(error.message);
  }
}
