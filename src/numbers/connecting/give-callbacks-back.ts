import type { Services } from '../../services.ts';
import type { Addresses } from '../../whatsapp/numbers/subscriptions.ts';
import { isHere, type Whose, whoseAddress } from '../checking/callbacks/whose-address.ts';
import { verifyNumber } from '../checking/verify-number.ts';
import type { ConnectedNumber, NumberFinder } from '../find-number.ts';
import { disconnectNumber } from './disconnect-number.ts';

/**
 * The receiver of a disconnected number's messages: another program, a URL of Parley that no longer accepts them, or
 * nobody. `unknown` if the network does not say.
 */
export type CallbacksNow = {
  to: 'other_program' | 'parley' | 'nobody' | 'unknown';
  url: string | null;
};

type Needed = Pick<Services, 'db' | 'log' | 'network' | 'config'>;
type Disconnected = NonNullable<Awaited<ReturnType<typeof disconnectNumber>>>;

/**
 * Disconnects a number after removing Parley's callback URL from it, so that the program that had its messages before
 * gets them again. A URL of Parley for the whole account, which earlier versions set, is removed too, and other
 * connected numbers that depend on what is gone get URLs of their own. The network may refuse or not respond: the number
 * is disconnected in any case.
 *
 * @returns undefined if the tenant has no such connected number
 */
export async function disconnectAndGiveBack(
  services: Needed,
  numbers: NumberFinder,
  tenantId: number,
  phoneNumberId: string,
): Promise<(Disconnected & { callbacks: CallbacksNow }) | undefined> {
  const { db, network } = services;
  const all = await numbers.connected(tenantId);
  const number = all.find((each) => each.phoneNumberId === phoneNumberId);
  const others = all.filter((each) => each !== number);
  // Before it is disconnected, so that no message arrives at a URL that is gone.
  const before = number && (await removeAddresses(services, number, others));
  const disconnected = await disconnectNumber(db, tenantId, phoneNumberId);
  if (!disconnected) return undefined;
  const unknown: CallbacksNow = { to: 'unknown', url: null };
  if (!number || !before) return { ...disconnected, callbacks: unknown };
  for (const each of await dependingOn(services, number, before, others)) {
    await verifyNumber(services, numbers, { tenantId, id: each.id }, { repair: true });
  }
  const now = await network.subscriptions.readAddresses(number);
  return {
    ...disconnected,
    callbacks: now.outcome === 'found' ? await describe(services, number, now.value) : unknown,
  };
}

/** Returns the addresses that the number had; undefined if the network does not say. */
async function removeAddresses(
  services: Needed,
  number: ConnectedNumber,
  others: ConnectedNumber[],
): Promise<Addresses | undefined> {
  const { subscriptions } = services.network;
  const read = await subscriptions.readAddresses(number);
  if (read.outcome !== 'found') return undefined;
  const { number: ofNumber, account } = read.value;
  if (ofNumber && (await isOurs(services, number, ofNumber))) {
    await subscriptions.setAddress(number, null);
  }
  const isLast = !others.some((each) => isOfSameAccount(each, number));
  if (isLast && account && (await isOurs(services, number, account))) {
    await subscriptions.subscribeApp(number, number.businessAccountId);
  }
  return read.value;
}

/** Lists the connected numbers that no longer hear, because an address is gone that they use. */
async function dependingOn(
  services: Needed,
  number: ConnectedNumber,
  { account, app }: Addresses,
  others: ConnectedNumber[],
): Promise<ConnectedNumber[]> {
  const ofAccount = others.filter((each) => isOfSameAccount(each, number));
  if (ofAccount.length > 0 && account && (await isOurs(services, number, account))) {
    return ofAccount;
  }
  const isAppGone = app && (await whoseHere(services, number, app)) === 'gone';
  // One of them sets the address of the app again, to which changes of templates are reported.
  return isAppGone ? others.filter((each) => each.appSecret === number.appSecret).slice(0, 1) : [];
}

function isOfSameAccount(a: ConnectedNumber, b: ConnectedNumber): boolean {
  return a.businessAccountId === b.businessAccountId;
}

async function isOurs(services: Needed, number: ConnectedNumber, url: string): Promise<boolean> {
  return (await whoseHere(services, number, url)) !== 'foreign';
}

/** Finds whether an address for callbacks is ours. At another base URL, it counts as foreign. */
async function whoseHere(
  services: Needed,
  { tenantId }: ConnectedNumber,
  url: string,
): Promise<Whose> {
  return isHere(services.config, url) ? whoseAddress(services, tenantId, url) : 'foreign';
}

async function describe(
  services: Needed,
  number: ConnectedNumber,
  { number: ofNumber, account, app }: Addresses,
): Promise<CallbacksNow> {
  const url = ofNumber ?? account ?? app;
  if (!url) return { to: 'nobody', url };
  return { to: (await isOurs(services, number, url)) ? 'parley' : 'other_program', url };
}
