import type { SubscribedApp } from '../../../whatsapp/numbers/subscriptions.ts';
import type { CallbackChecker, Webhook } from './callback-checker.ts';
import { type Whose, whoseAddress } from './whose-address.ts';

/** The address to which the messages of a number go, and the level at which it is set. */
export type Address = { url: string; level: 'number' | 'account' | 'app'; whose: Whose };

/** What is known about the addresses of a number. */
export type FoundAddress = {
  /** Where its messages go; undefined if there is no address, or if the network did not say. */
  address: Address | undefined;
  /** The address for all numbers of its account; null for none. */
  ofAccount: string | null;
  /** That of the app; null for none. */
  ofApp: string | null;
};

/** Finds the address for the messages of a number: its own, otherwise that of its account, otherwise that of the app. */
export async function findAddress(
  { services, number }: Pick<CallbackChecker, 'services' | 'number'>,
  app: SubscribedApp | undefined,
  webhook: Webhook | undefined,
): Promise<FoundAddress> {
  const read = await services.network.subscriptions.readAddresses(number);
  const levels = read.outcome === 'found' ? read.value : undefined;
  const ofAccount = app?.overrideUrl ?? levels?.account ?? null;
  const ofApp = webhook?.set.callbackUrl ?? levels?.app ?? null;
  const [first] = (
    [
      ['number', levels?.number],
      ['account', ofAccount],
      ['app', ofApp],
    ] as const
  ).flatMap(([level, url]) => (url ? [{ level, url }] : []));
  const address = first && {
    ...first,
    whose: await whoseAddress(services, number.tenantId, first.url),
  };
  return { address, ofAccount, ofApp };
}
