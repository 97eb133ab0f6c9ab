import { networkSilent } from '../../../platform/errors/common-faults.ts';
import { type Fault, fault } from '../../../platform/errors/fault.ts';
import { callbackUrl } from '../../present-number.ts';
import { listNumbers } from '../../queries.ts';
import { type Check, failed } from '../check.ts';
import { type CallbackChecker, refusedAddress, verify } from './callback-checker.ts';
import type { FoundAddress } from './find-address.ts';
import { isHere, whoseAddress } from './whose-address.ts';

/** The names of other numbers in a sentence; an account has at most 20 unless Meta raises its limit. */
const maxNamed = 5;

/**
 * Sets our address for one number, and reads it back. Other numbers of its account and app are not affected.
 *
 * @returns what went wrong
 */
export async function setAddress({
  services: { config, network },
  number,
}: CallbackChecker): Promise<Check | undefined> {
  const url = callbackUrl(config, number.callbackId);
  const target = { url, verifyToken: number.verifyToken };
  const set = await network.subscriptions.setAddress(number, target);
  if (set.outcome === 'unreachable') return failed('callbacks', networkSilent, verify);
  if (set.outcome === 'refused') return refusedAddress(url, set.error);
  const read = await network.subscriptions.readAddresses(number);
  if (read.outcome !== 'found' || read.value.number === url) return undefined;
  const { number: ofNumber, account, app } = read.value;
  const found = ofNumber ?? account ?? app;
  return failed(
    'callbacks',
    found
      ? fault('address_not_used', 'The network accepted {url}, but still reports to {found}.', {
          url,
          found,
        })
      : fault('address_not_kept', 'The network accepted {url}, but does not use it.', { url }),
    verify,
  );
}

/**
 * Removes an address of this tenant that is set for the whole account, as earlier versions did, once all of the
 * tenant's numbers of the account have addresses of their own. Until then, it takes the messages of numbers that other
 * programs serve. Changes nothing if the network does not say what the other numbers have.
 *
 * @returns what the removal means for other numbers of the account; undefined if nothing was removed, or there are none
 */
export async function removeAccountAddress(
  { services: { config, db, network }, number, takeOver }: CallbackChecker,
  { ofAccount, ofApp }: FoundAddress,
): Promise<Fault | undefined> {
  const { tenantId, businessAccountId } = number;
  if (!ofAccount || (!takeOver && !isHere(config, ofAccount))) return undefined;
  if ((await whoseAddress({ db, config }, tenantId, ofAccount)) === 'foreign') return undefined;
  const listed = await network.listAccountNumbers(number, businessAccountId, {
    withAddresses: true,
  });
  if (listed.outcome !== 'found') return undefined;
  const own = new Set((await listNumbers(db, tenantId)).map((row) => row.phone_number_id));
  const others = listed.value.filter(({ phoneNumberId }) => phoneNumberId !== number.phoneNumberId);
  if (others.some(({ phoneNumberId, address }) => own.has(phoneNumberId) && !address)) {
    return undefined;
  }
  const removed = await network.subscriptions.subscribeApp(number, businessAccountId);
  const freed = others.filter(({ phoneNumberId, address }) => !own.has(phoneNumberId) && !address);
  if (removed.outcome !== 'found' || freed.length === 0) return undefined;
  const names = freed.map((each) => each.displayPhoneNumber ?? each.phoneNumberId);
  const numbers = names.slice(0, maxNamed).join(', ') + (names.length > maxNamed ? ', …' : '');
  return ofApp
    ? fault(
        'reported_without_account',
        'The messages of the number are reported to Parley. It no longer gets those of other numbers of the account ({numbers}): they go to the app’s own address, {url}.',
        { numbers, url: ofApp },
      )
    : fault(
        'reported_without_account_or_app',
        'The messages of the number are reported to Parley. It no longer gets those of other numbers of the account ({numbers}): they go nowhere, because the app has no address of its own.',
        { numbers },
      );
}
