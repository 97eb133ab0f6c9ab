import { attempt } from './dom.js';
import { call } from './network.js';
import { store } from './store.js';

/** Sends a message of any type from the selected phone. Returns whether it was accepted. */
export function write(message) {
  const inbound = { phone_number_id: store.numberId, from: store.phone, ...message };
  return attempt(() => call('POST', '/simulator/inbound', inbound));
}
