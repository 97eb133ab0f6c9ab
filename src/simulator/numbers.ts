import { type Agent, request } from 'undici';
import { agentFor } from './callbacks/outbox.ts';
import { newObjectId, newSecret } from './ids.ts';
import type { Network } from './network.ts';
import { emitChange } from './state.ts';
import { templatesOf } from './templates/templates.ts';
import type { JsonObject, Limits, Marketing, SimulatedNumber } from './types.ts';

export type NumberRequest = Partial<Omit<SimulatedNumber, 'limits' | 'marketing'>> & {
  limits?: Partial<Limits>;
  marketing?: Partial<Marketing>;
};

export const newMarketing: Marketing = { terms_signed: true, disabled_on_cloud_api: false };

/**
 * Creates a number or changes the given values of an existing one. Generates missing values. A new number of an
 * existing account has the token, app secret and name of the account's other numbers, because those belong to the
 * app and the account.
 */
export function putNumber(network: Network, given: NumberRequest): SimulatedNumber {
  const { numbers } = network.state;
  const known = given.phone_number_id ? numbers.get(given.phone_number_id) : undefined;
  const sibling = [...numbers.values()].find(
    ({ business_account_id }) => business_account_id === given.business_account_id,
  );
  const { limits, marketing, ...values } = given;
  const number: SimulatedNumber = {
    phone_number_id: newObjectId(15),
    business_account_id: newObjectId(15),
    display_phone_number: `+1 555 ${newObjectId(3)} ${newObjectId(4)}`,
    verified_name: 'Test Business',
    access_token: `EAA${newSecret(60)}`,
    app_secret: newSecret(16),
    callback_url: null,
    verify_token: newSecret(12),
    ca: null,
    ...(sibling && {
      verified_name: sibling.verified_name,
      access_token: sibling.access_token,
      app_secret: sibling.app_secret,
    }),
    ...known,
    ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
    limits: { ...network.newLimits, ...known?.limits, ...limits },
    marketing: {
      ...newMarketing,
      ...(known ?? sibling)?.marketing,
      ...marketing,
    },
  };
  numbers.set(number.phone_number_id, number);
  templatesOf(network.state, number.business_account_id);
  network.outbox.reconnect(number.phone_number_id);
  emitChange(network.state, 'number', number.phone_number_id);
  return number;
}

export function removeNumber(network: Network, numberId: string): boolean {
  const removed = network.state.numbers.delete(numberId);
  if (!removed) return false;
  for (const [key, chat] of network.state.chats) {
    if (chat.phone_number_id !== numberId) continue;
    for (const message of chat.messages) network.state.messages.delete(message.wamid);
    network.state.chats.delete(key);
  }
  network.outbox.reconnect(numberId);
  emitChange(network.state, 'number', numberId);
  return true;
}

/**
 * Verifies a callback URL with a GET request, as the network does before it uses one.
 *
 * @returns null if the response was the challenge, otherwise the problem in the network's wording
 */
export async function verifyCallback(
  number: Pick<SimulatedNumber, 'callback_url' | 'ca' | 'verify_token'>,
): Promise<string | null> {
  if (!number.callback_url || !URL.canParse(number.callback_url)) return 'Invalid URL';
  const challenge = newObjectId(10);
  const url = new URL(number.callback_url);
  url.searchParams.set('hub.mode', 'subscribe');
  url.searchParams.set('hub.challenge', challenge);
  url.searchParams.set('hub.verify_token', number.verify_token);
  let agent: Agent | undefined;
  try {
    agent = agentFor(number);
    const response = await request(url, { dispatcher: agent });
    const body = await response.body.text();
    if (response.statusCode !== 200) return `HTTP Status Code = ${response.statusCode}`;
    return body === challenge ? null : 'The response was not the challenge';
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await agent?.close();
  }
}

/** Presents a number as the network does. */
export function presentNumber(number: SimulatedNumber): JsonObject {
  return {
    verified_name: number.verified_name,
    code_verification_status: 'VERIFIED',
    display_phone_number: number.display_phone_number,
    quality_rating: 'GREEN',
    platform_type: 'CLOUD_API',
    throughput: { level: 'STANDARD' },
    id: number.phone_number_id,
  };
}
