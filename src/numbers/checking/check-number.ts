import type { Config } from '../../config.ts';
import type { Database } from '../../platform/database/database.ts';
import { networkSilent } from '../../platform/errors/common-faults.ts';
import { fault } from '../../platform/errors/fault.ts';
import type { NetworkClient } from '../../whatsapp/client.ts';
import { refusalSentence } from '../../whatsapp/errors.ts';
import type { ConnectedNumber } from '../find-number.ts';
import { markInApp } from '../mark-in-app.ts';
import { checkCallbacks } from './callbacks/check-callbacks.ts';
import type { PrivateUrl } from './callbacks/unreachable-address.ts';
import { whyPrivate, whyUnreachable } from './callbacks/unreachable-address.ts';
import { type Check, failed, passed } from './check.ts';
import { checkHealth, checkRegistration } from './check-registration.ts';
import { checkToken } from './check-token.ts';

export type CheckOptions = {
  /** Whether to register the number and set the callbacks up if needed. Otherwise it is only reported. */
  repair?: boolean;
  /** The six digits with which to register the number. */
  pin?: string | undefined;
  /** Whether to take the number's callbacks from another program. */
  takeOver?: boolean | undefined;
};

/**
 * Checks at the network what a number needs in order to send and to hear. None of it proves that callbacks arrive: a
 * message to the number does.
 */
export async function checkNumber(
  services: { db: Database; config: Config; network: NetworkClient },
  number: ConnectedNumber,
  { repair = false, pin, takeOver = false }: CheckOptions = {},
): Promise<Check[]> {
  const { db, network, config } = services;
  const token = await network.inspectToken(number);
  if (token.outcome === 'unreachable') return [unreachable];
  const ofToken = checkToken(token, number.businessAccountId, { isProven: number.isProven });
  const isLocal = whyUnreachable(config);
  // Nothing else can be looked up with a token that is not valid.
  if (!ofToken.ok && token.outcome === 'refused') return [ofToken, ...ofAddress(isLocal, false)];

  const lookUp = await network.lookUpNumber(number);
  if (lookUp.outcome === 'unreachable') return [ofToken, unreachable];
  if (lookUp.outcome === 'refused') {
    const fix = fault(
      'compare_ids',
      'Compare both ids with those in Meta’s app dashboard, under WhatsApp > API Setup.',
    );
    const found = fault('number_refused', 'The network refuses: {why}', {
      why: refusalSentence(lookUp.error),
    });
    return [ofToken, failed('number', found, fix), ...ofAddress(isLocal, false)];
  }
  const phone = lookUp.displayPhoneNumber ?? number.phoneNumberId;
  const { verifiedName: name } = lookUp;
  const ofNumber = passed(
    'number',
    name
      ? fault('number_known_by_name', 'The network knows {phone}, “{name}”.', { phone, name })
      : fault('number_known', 'The network knows {phone}.', { phone }),
  );
  const sendability = await network.lookUpSendability(number);
  if (sendability.isInPhoneApp !== undefined) {
    await markInApp(db, number.tenantId, number.id, sendability.isInPhoneApp);
  }
  const registration = await checkRegistration(
    network,
    number,
    sendability,
    repair ? pin : undefined,
  );
  // The network on the internet would try in vain to verify a local address.
  const isNetworkLocal = whyPrivate(number.networkUrl) !== undefined;
  const canSetUp = !isLocal || isNetworkLocal;
  const { appId, accountIds = [] } = token.outcome === 'found' ? token.value : {};
  const callbacks = await checkCallbacks({
    services,
    number,
    appId,
    otherAccounts: accountIds.filter((id) => id !== number.businessAccountId),
    repair: repair && canSetUp,
    takeOver,
  });
  const arrives = callbacks.every(({ ok }) => ok) || number.isHeard;
  return [
    ofToken,
    ofNumber,
    registration,
    ...checkHealth(sendability),
    ...withoutRepeats([
      ...ofAddress(isLocal, arrives && (isNetworkLocal ? 'this_network' : 'another_name')),
      ...callbacks,
    ]),
  ];
}

/** Both settings of the callbacks may fail for the same reason. */
function withoutRepeats(checks: Check[]): Check[] {
  return checks.filter(
    ({ name }, index) => checks.findIndex((each) => each.name === name) === index,
  );
}

const unreachable = failed(
  'network',
  networkSilent,
  fault('check_connection', 'Check the connection to the internet, and try again.'),
);

/**
 * @param isLocal why the base URL cannot be reached from the internet
 * @param arrives how reports arrive all the same; false if they do not
 */
function ofAddress(
  isLocal: PrivateUrl | undefined,
  arrives: 'this_network' | 'another_name' | false,
): Check[] {
  if (isLocal === undefined) return [];
  const { url, what, kind } = isLocal;
  if (arrives === 'this_network') {
    const found = fault(
      'address_local_but_reached',
      '{url} is {what}, which WhatsApp cannot reach from the internet. The network that this installation uses can.',
      { url, what, kind },
    );
    return [passed('address', found)];
  }
  if (arrives === 'another_name') {
    const found = fault(
      'address_local_but_heard',
      '{url} is {what}, which WhatsApp cannot reach from the internet. It may reach this service at another name.',
      { url, what, kind },
    );
    return [passed('address', found)];
  }
  return [
    failed(
      'address',
      fault(
        'address_local',
        '{url} is {what}, which WhatsApp cannot reach from the internet, so it can report nothing.',
        { url, what, kind },
      ),
      fault(
        'set_base_url',
        'Set PARLEY_BASE_URL to an https address of this service on the internet, with a publicly trusted certificate, and check the number again.',
      ),
    ),
  ];
}
