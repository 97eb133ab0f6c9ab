import type { SimulatorState } from './state.ts';
import type { App, JsonObject, SimulatedNumber, Subscription, Update } from './types.ts';

/** The fields of a number that an address of the account or the number gets in place of the app's. */
const overridable = [
  ...['messages', 'message_echoes', 'calls', 'account_settings_update'],
  ...['smb_message_echoes', 'smb_app_state_sync', 'history'],
];
/** The fields of a number that always go to the app's own address. */
const otherFieldsOfNumbers = ['user_id_update', 'user_preferences'];

/** The fields that an app may choose. The control API can report any of them. */
export const knownFields = [
  ...overridable,
  ...otherFieldsOfNumbers,
  ...['message_template_status_update', 'message_template_quality_update'],
  ...['message_template_components_update', 'template_category_update'],
  ...['account_update', 'account_review_update', 'account_alerts'],
  ...['business_capability_update', 'security'],
  ...['phone_number_name_update', 'phone_number_quality_update'],
];

/** Whether an update is about the whole account, so that it names no number. */
export function isOfAccount({ field = 'messages' }: Update): boolean {
  return !overridable.includes(field) && !otherFieldsOfNumbers.includes(field);
}

export function keyOf({
  business_account_id,
  app_id,
}: Pick<Subscription, 'business_account_id' | 'app_id'>): string {
  return `${business_account_id}:${app_id}`;
}

/** Returns an app; one that was never set up has no address and no fields. */
export function appOf({ apps }: SimulatorState, id: string): App {
  return apps.get(id) ?? { id, callback_url: null, fields: [] };
}

/**
 * Does for a number what its owner would do on the network's web pages: enters the callback URL at the app, chooses
 * all fields, and subscribes the app to the account. Without a callback URL it undoes this.
 */
export function subscribeByHand(state: SimulatorState, number: SimulatedNumber): void {
  const { app_id, business_account_id, callback_url } = number;
  const key = keyOf(number);
  if (callback_url === null) {
    state.subscriptions.delete(key);
    return;
  }
  state.apps.set(app_id, { id: app_id, callback_url, fields: knownFields });
  state.subscriptions.set(key, {
    app_id,
    business_account_id,
    override_callback_uri: callback_url,
  });
}

/**
 * Finds the address for a callback of a number. The number's own address comes before that of its account, and that
 * before the address of the app. Most of what is not a message always goes to the app's.
 *
 * @returns null if nobody gets it: the app is not subscribed to the account, or did not choose the field
 */
export function callbackUrlOf(
  state: SimulatorState,
  number: SimulatedNumber,
  { field = 'messages' }: Update,
): string | null {
  const subscription = state.subscriptions.get(keyOf(number));
  if (!subscription) return null;
  const app = appOf(state, number.app_id);
  if (!app.fields.includes(field)) return null;
  if (!overridable.includes(field)) return app.callback_url;
  return number.callback_url ?? subscription.override_callback_uri ?? app.callback_url;
}

/** The addresses for the callbacks of a number, by level. A level without one is left out. */
export function addressesOf(state: SimulatorState, number: SimulatedNumber): JsonObject {
  const ofAccount = state.subscriptions.get(keyOf(number))?.override_callback_uri;
  const ofApp = appOf(state, number.app_id).callback_url;
  return {
    ...(number.callback_url && { phone_number: number.callback_url }),
    ...(ofAccount && { whatsapp_business_account: ofAccount }),
    ...(ofApp && { application: ofApp }),
  };
}
