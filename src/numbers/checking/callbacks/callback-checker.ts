import type { Config } from '../../../config.ts';
import type { Db } from '../../../platform/database/database.ts';
import { type Fault, fault } from '../../../platform/errors/fault.ts';
import type { NetworkClient } from '../../../whatsapp/client.ts';
import { type GraphError, refusalSentence } from '../../../whatsapp/errors.ts';
import type { AppWebhook } from '../../../whatsapp/numbers/subscriptions.ts';
import type { ConnectedNumber } from '../../find-number.ts';
import { type Check, failed, passed } from '../check.ts';
import type { Whose } from './whose-address.ts';

/** The parameters of the checks of a number's callbacks. */
export type CallbackChecker = {
  services: { db: Db; config: Config; network: NetworkClient };
  number: ConnectedNumber;
  /** The app of the token; undefined if the network did not say. */
  appId: string | undefined;
  /** Whether to change what is not right. Otherwise it is only reported. */
  repair: boolean;
  /** Whether to take the messages of the number from another program. */
  takeOver: boolean;
  /** Other accounts that the token may use, which may have the same app. */
  otherAccounts: string[];
};

/** The app's own webhook with its owner; null if the app has none. */
export type Webhook = { set: AppWebhook; whose: Whose } | null;

/** The advice for callbacks that are not set up. */
export const verify = fault(
  'set_callbacks_up',
  'Run `parley number verify`, or press “Check” in the dashboard: this sets the callbacks up.',
);

/** The check after the network refused to change what decides where callbacks go. */
export function refusedSetting(error: GraphError): Check {
  const found = fault('callbacks_refused', 'The callbacks could not be set up: {why}', {
    why: refusalSentence(error),
  });
  return failed('callbacks', found, verify);
}

/** The check after the network refused an address for callbacks. */
export function refusedAddress(url: string, error: GraphError): Check {
  if (error.code !== 2200) return refusedSetting(error);
  return failed(
    'address',
    fault('address_not_reached', 'WhatsApp cannot reach {url}: {why}', {
      url,
      why: error.details ?? error.title,
    }),
    fault(
      'make_address_reachable',
      'Check that `parley serve` runs, that PARLEY_BASE_URL is its address on the internet, and that its certificate is publicly trusted. Then check the number again.',
    ),
  );
}

/**
 * Passes a failed check if reports arrive anyway, or may arrive: a proxy can have another name than the base URL.
 */
export function unlessArriving(check: Check, { isHeard }: ConnectedNumber, whose?: Whose): Check {
  if (!isHeard && whose !== 'elsewhere') return check;
  return passed(check.name, isHeard ? arrivesAllTheSame(check) : atAnotherName);
}

function arrivesAllTheSame({ found: text, found_says: says }: Check): Fault {
  return fault('arrives_all_the_same', '{found} Reports of WhatsApp arrive all the same.', {
    found: { code: '', ...says, text },
  });
}

/** The fault of an address that may be one of this service. */
const atAnotherName = fault(
  'reported_at_another_name',
  'WhatsApp reports to this service at another name than PARLEY_BASE_URL.',
);
