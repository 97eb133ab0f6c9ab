import { networkSilent } from '../../../platform/errors/common-faults.ts';
import { type Fault, fault } from '../../../platform/errors/fault.ts';
import { refusalSentence } from '../../../whatsapp/errors.ts';
import type { SubscribedApp } from '../../../whatsapp/numbers/subscriptions.ts';
import { type Check, failed, passed } from '../check.ts';
import { checkFields } from '../check-fields.ts';
import {
  type CallbackChecker,
  refusedSetting,
  unlessArriving,
  verify,
  type Webhook,
} from './callback-checker.ts';
import { type Address, findAddress } from './find-address.ts';
import { removeAccountAddress, setAddress } from './set-address.ts';
import { isHere, whoseAddress } from './whose-address.ts';

const takeOver = fault(
  'take_callbacks_over',
  'To take the messages of this number from that program, use `parley number verify` with --take-over, or the dashboard. Nothing changes for other numbers, of this account or of others.',
);

/**
 * Checks that the app is subscribed to the account of a number, that the messages of the number go to our address, and
 * that the app chose the fields. A repair sets our address for the number alone, because one of the account or the app
 * would take the messages of numbers that other programs serve.
 */
export async function checkCallbacks(checker: CallbackChecker): Promise<Check[]> {
  const { services, number, appId } = checker;
  const { subscriptions } = services.network;
  const app = appId && { networkUrl: number.networkUrl, appId, appSecret: number.appSecret };
  const read = app ? await subscriptions.readWebhook(app) : undefined;
  if (read?.outcome === 'refused' && read.error.code === 190) {
    return [
      failed(
        'app_secret',
        fault(
          'reports_not_verifiable',
          'The app secret is not that of the app {app}, to which the access token belongs, so reports of WhatsApp cannot be verified.',
          { app: String(appId) },
        ),
        fault(
          'copy_app_secret',
          'Copy the app secret of that app (App settings > Basic), and connect the number again with it.',
        ),
      ),
    ];
  }
  const webhook: Webhook | undefined =
    read?.outcome === 'found' ? read.value && (await owned(checker, read.value)) : undefined;
  const fields = webhook === undefined ? [] : [await checkFields(checker, webhook)];
  return [await checkSubscription(checker, webhook), ...fields];
}

async function owned({ services, number }: CallbackChecker, webhook: NonNullable<Webhook>['set']) {
  return {
    set: webhook,
    whose: await whoseAddress(services, number.tenantId, webhook.callbackUrl),
  };
}

async function checkSubscription(
  checker: CallbackChecker,
  webhook: Webhook | undefined,
): Promise<Check> {
  const { services, number, appId, repair } = checker;
  const { subscriptions } = services.network;
  const listed = await subscriptions.listApps(number, number.businessAccountId);
  if (listed.outcome !== 'found') {
    // Nothing is known to be wrong; a message proves whether it is right.
    return passed(
      'callbacks',
      listed.outcome === 'refused'
        ? fault(
            'subscription_refused',
            'The network did not say where the messages of the account go: {why}',
            { why: refusalSentence(listed.error) },
          )
        : fault(
            'subscription_not_known',
            'The network did not say where the messages of the account go: it does not respond.',
          ),
    );
  }
  const app = appOf(listed.value, appId);
  const found = await findAddress(checker, app, webhook);
  const { address } = found;
  const others = listed.value
    .filter((each) => each !== app)
    .map(({ name, appId }) => name ?? appId);
  const good = passed('callbacks', reported(others));
  const holder = app && address && isInUse(checker, address, webhook) ? address : undefined;
  // Without a repair, the same address at another base URL may be an earlier one or another name, at which it arrives.
  if (holder && !checker.takeOver && (repair || holder.whose === 'foreign')) {
    const held = elsewhere(holder);
    // Another program at the app's address may pass on what it gets, and another base URL may lead here.
    return number.isHeard && (holder.level === 'app' || holder.whose !== 'foreign')
      ? unlessArriving(failed('callbacks', held, takeOver), number)
      : failed('held_callbacks', held, takeOver);
  }
  if (!repair) {
    if (app && address?.whose === 'ours') return good;
    if (app && !address && webhook === undefined) {
      return passed(
        'callbacks',
        fault('address_not_known', 'The network did not say to which address the app reports.'),
      );
    }
    return unlessArriving(
      failed('callbacks', lacking(app, address), verify),
      number,
      address?.whose,
    );
  }
  // If it is not known which of several apps is that of the token, it may be subscribed, with an address of the account.
  if (!app && (appId !== undefined || listed.value.length === 0)) {
    const problem = await subscribe(checker);
    if (problem) return unlessArriving(problem, number, address?.whose);
  }
  if (address?.level !== 'number' || address.whose !== 'ours') {
    const problem = await setAddress(checker);
    if (problem) {
      return app && address?.whose === 'ours'
        ? good
        : unlessArriving(problem, number, address?.whose);
    }
  }
  const without = await removeAccountAddress(checker, found);
  if (without) return passed('callbacks', without);
  return holder ? passed('callbacks', takenFrom(holder)) : good;
}

/** Whether an address is that of another program or installation, which gets messages there. */
function isInUse(
  { services: { config } }: CallbackChecker,
  { level, url, whose }: Address,
  webhook: Webhook | undefined,
): boolean {
  // The app reports no messages to any address unless it chose the field.
  const hasMessages = webhook ? webhook.set.fields.includes('messages') : webhook === undefined;
  return (whose === 'foreign' || !isHere(config, url)) && (level !== 'app' || hasMessages);
}

function elsewhere({ level, url, whose }: Address): Fault {
  if (whose !== 'foreign') {
    return fault(
      'reported_to_other_base_url',
      'The messages of the number go to {url}, which is that of another installation with the same data, or an earlier PARLEY_BASE_URL or another name of this one.',
      { url },
    );
  }
  if (level === 'number') {
    return fault(
      'number_reported_elsewhere',
      'The messages of the number go to another address, which is set for this number: {url}.',
      { url },
    );
  }
  return level === 'account'
    ? fault(
        'account_reported_elsewhere',
        'The messages of the number go to another address, which is set for its whole account: {url}.',
        { url },
      )
    : fault(
        'app_reported_elsewhere',
        'The messages of the number go to another address, which is the app’s own: {url}.',
        { url },
      );
}

function takenFrom({ url }: Address): Fault {
  return fault(
    'reported_instead',
    'The messages of the number are reported to Parley now, and no longer to {url}.',
    { url },
  );
}

/** @param others the names of further apps to which they are reported */
function reported(others: string[]): Fault {
  return others.length > 0
    ? fault(
        'reported_to_others_too',
        'The messages of the number are reported to Parley, and also to other apps: {others}.',
        { others: others.join(', ') },
      )
    : fault('reported', 'The messages of the number are reported to Parley.');
}

/** Why nothing is reported, if no address is known to be ours. */
function lacking(app: SubscribedApp | undefined, address: Address | undefined): Fault {
  if (!app) {
    return fault(
      'not_subscribed',
      'The app is not subscribed to the account, so nothing is reported.',
    );
  }
  if (!address) {
    return fault(
      'no_callback_address',
      'Neither the number nor the app has an address for callbacks, so nothing is reported.',
    );
  }
  return address.whose === 'foreign'
    ? fault(
        'reported_to_the_app',
        'The messages of the number go to the app’s own address, which is not Parley’s.',
      )
    : fault(
        'reported_to_lost_number',
        'The messages of the number go to {url}, which is not connected any more.',
        { url: address.url },
      );
}

/** Subscribes the app to the account. Returns what went wrong. */
async function subscribe({
  services: { network },
  number,
}: CallbackChecker): Promise<Check | undefined> {
  const subscribed = await network.subscriptions.subscribeApp(number, number.businessAccountId);
  if (subscribed.outcome === 'found') return undefined;
  if (subscribed.outcome === 'unreachable') return failed('callbacks', networkSilent, verify);
  return refusedSetting(subscribed.error);
}

/** The token's app among those of an account. If the token's is not known, it is the only one. */
function appOf(apps: SubscribedApp[], appId: string | undefined): SubscribedApp | undefined {
  if (appId !== undefined) return apps.find((app) => app.appId === appId);
  return apps.length === 1 ? apps[0] : undefined;
}
