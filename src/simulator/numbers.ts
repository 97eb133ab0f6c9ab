import { type Agent, request } from 'undici';
import { numbersOf, reportOfAccount } from './account.ts';
import { agentFor } from './callbacks/outbox.ts';
import { pickFields } from './graph/pick-fields.ts';
import { newObjectId, newSecret } from './ids.ts';
import type { Network } from './network.ts';
import { emitChange, type SimulatorState } from './state.ts';
import { addressesOf, subscribeByHand } from './subscriptions.ts';
import { templatesOf } from './templates/templates.ts';
import type {
  AccessToken,
  JsonObject,
  Limits,
  Marketing,
  Registration,
  SimulatedNumber,
} from './types.ts';

export type NumberRequest = Partial<Omit<SimulatedNumber, keyof Nested>> & {
  [Name in keyof Nested]?: Partial<Nested[Name]>;
};

/** The values of a number that have several parts, which can be changed one by one. */
type Nested = {
  limits: Limits;
  marketing: Marketing;
  token: AccessToken;
  registration: Registration;
};

/** The defaults of a new number. */
export function newNumberValues() {
  return {
    app_id: newObjectId(15),
    marketing: { terms_signed: true, disabled_on_cloud_api: false },
    token: {
      scopes: ['whatsapp_business_management', 'whatsapp_business_messaging'],
      expires_at: 0,
      names_accounts: true,
    },
    registration: { status: 'CONNECTED', pin: null },
    quality_rating: 'GREEN',
    messaging_limit: 'TIER_250',
    health_status: null,
  };
}

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
  const { limits, marketing, token, registration, ...values } = given;
  const created = newNumberValues();
  const number: SimulatedNumber = {
    ...created,
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
      app_id: sibling.app_id,
      health_status: sibling.health_status,
      messaging_limit: sibling.messaging_limit,
    }),
    ...known,
    ...Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)),
    limits: { ...network.newLimits, ...known?.limits, ...limits },
    marketing: { ...created.marketing, ...(known ?? sibling)?.marketing, ...marketing },
    token: { ...created.token, ...(known ?? sibling)?.token, ...token },
    registration: { ...created.registration, ...known?.registration, ...registration },
  };
  numbers.set(number.phone_number_id, number);
  if (given.messaging_limit !== undefined) {
    const ofAccount = numbersOf(network, number.business_account_id);
    for (const one of ofAccount) one.messaging_limit = given.messaging_limit;
  }
  if (known && given.health_status !== undefined) setHealth(network, number);
  if (given.callback_url !== undefined) subscribeByHand(network.state, number);
  templatesOf(network.state, number.business_account_id);
  network.outbox.reconnect(number.phone_number_id);
  emitChange(network.state, 'number', number.phone_number_id);
  return number;
}

/** Whether the network lets the number send nothing. */
export function isBlocked({ health_status }: SimulatedNumber): boolean {
  return health_status?.can_send_message === 'BLOCKED';
}

/** Gives the numbers of an account the same health, and reports that it was disabled, or may send again. */
function setHealth(
  network: Network,
  { business_account_id, health_status }: SimulatedNumber,
): void {
  const numbers = numbersOf(network, business_account_id);
  for (const number of numbers) number.health_status = health_status;
  const waba_ban_state = numbers.some(isBlocked) ? 'DISABLE' : 'REINSTATE';
  const content = { event: 'DISABLED_UPDATE', ban_info: { waba_ban_state } };
  reportOfAccount(network, business_account_id, 'account_update', content);
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

/** Presents a number as the network does without a list of fields. */
export function presentNumber(number: SimulatedNumber): JsonObject {
  return {
    verified_name: number.verified_name,
    code_verification_status: 'VERIFIED',
    display_phone_number: number.display_phone_number,
    quality_rating: number.quality_rating,
    platform_type: 'CLOUD_API',
    throughput: { level: isUpgraded(number) ? 'HIGH' : 'STANDARD' },
    id: number.phone_number_id,
  };
}

/** Whether the network has raised the throughput of the number from 80 to 1,000 messages per second. */
function isUpgraded({ limits: { messages_per_second: perSecond } }: SimulatedNumber): boolean {
  return perSecond !== null && perSecond >= 1_000;
}

/** Fields that no number here has. */
const otherFields = [
  ...['certificate', 'new_certificate', 'last_onboarded_time', 'search_visibility'],
  'conversational_automation',
];

/**
 * Presents the requested fields of a number and its id.
 *
 * @throws GraphError 100 if the network has no such field
 */
export function presentFields(
  state: SimulatorState,
  number: SimulatedNumber,
  fields: string | undefined,
): JsonObject {
  if (!fields) return presentNumber(number);
  const { status, pin } = number.registration;
  const all: JsonObject = {
    ...presentNumber(number),
    status,
    name_status: 'APPROVED',
    new_name_status: 'NONE',
    quality_score: { score: number.quality_rating },
    whatsapp_business_manager_messaging_limit: number.messaging_limit,
    messaging_limit_tier: number.messaging_limit,
    is_official_business_account: false,
    is_preverified_number: false,
    is_pin_enabled: pin !== null,
    is_on_biz_app: false,
    account_mode: 'LIVE',
    webhook_configuration: addressesOf(state, number),
    health_status: number.health_status ?? { can_send_message: 'AVAILABLE', entities: [] },
  };
  return pickFields(all, fields, otherFields);
}
