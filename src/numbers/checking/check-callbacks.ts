import { networkSilent } from '../../platform/errors/common-faults.ts';
import { type Fault, fault } from '../../platform/errors/fault.ts';
import { refusalSentence } from '../../whatsapp/errors.ts';
import type { SubscribedApp } from '../../whatsapp/numbers/subscriptions.ts';
import { callbackUrl } from '../present-number.ts';
import {
  type CallbackChecker,
  refusedAddress,
  unlessArriving,
  verify,
  type Webhook,
} from './callback-checker.ts';
import { type Check, failed, passed } from './check.ts';
import { checkFields } from './check-fields.ts';
import { whoseAddress } from './whose-address.ts';

const takeOver = fault(
  'take_callbacks_over',
  'If that program is not used any more, take over: `parley number verify` with --take-over, or the dashboard. It gets no messages of this account then.',
);

/** Checks that the app is subscribed to the account of a number, with our address, and chose the fields. */
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
  const listed = await services.network.subscriptions.listApps(number, number.businessAccountId);
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
  const others = listed.value
    .filter((each) => each !== app)
    .map(({ name, appId }) => name ?? appId);
  const good = passed('callbacks', reported(others));
  const whose = app?.overrideUrl
    ? await whoseAddress(services, number.tenantId, app.overrideUrl)
    : app && webhook?.whose;
  if (whose === 'ours') return good;
  if (app?.overrideUrl && whose === 'foreign' && !checker.takeOver) {
    const found = fault(
      'reported_elsewhere',
      'The messages of the account go to another address: {url}.',
      { url: app.overrideUrl },
    );
    return failed('held_callbacks', found, takeOver);
  }
  if (!repair && app && !app.overrideUrl && webhook === undefined) {
    return passed(
      'callbacks',
      fault('address_not_known', 'The network did not say to which address the app reports.'),
    );
  }
  const problem = repair ? await subscribe(checker) : failed('callbacks', lacking(app), verify);
  return problem ? unlessArriving(problem, number, whose) : good;
}

/** @param others the names of further apps to which they are reported */
function reported(others: string[]): Fault {
  return others.length > 0
    ? fault(
        'reported_to_others_too',
        'The messages of the account are reported to Parley. So do other apps: {others}.',
        { others: others.join(', ') },
      )
    : fault('reported', 'The messages of the account are reported to Parley.');
}

/** Why nothing is reported, if no address is known to be ours. */
function lacking(app: SubscribedApp | undefined): Fault {
  if (!app) {
    return fault(
      'not_subscribed',
      'The app is not subscribed to the account, so nothing is reported.',
    );
  }
  return app.overrideUrl
    ? fault(
        'reported_to_lost_number',
        'The messages of the account go to {url}, which is not connected any more.',
        { url: app.overrideUrl },
      )
    : fault(
        'reported_to_the_app',
        'The messages of the account go to the app’s own address, which is not Parley’s.',
      );
}

/** Subscribes the app with our address, and reads it back. Returns what went wrong. */
async function subscribe({
  services: { config, network },
  number,
  appId,
}: CallbackChecker): Promise<Check | undefined> {
  const url = callbackUrl(config, number.callbackId);
  const account = number.businessAccountId;
  const target = { url, verifyToken: number.verifyToken };
  const subscribed = await network.subscriptions.subscribeApp(number, account, target);
  if (subscribed.outcome === 'unreachable') {
    return failed('callbacks', networkSilent, verify);
  }
  if (subscribed.outcome === 'refused') return refusedAddress(url, subscribed.error);
  const listed = await network.subscriptions.listApps(number, account);
  if (listed.outcome !== 'found') return undefined;
  const found = appOf(listed.value, appId)?.overrideUrl;
  if (found === url) return undefined;
  return failed(
    'callbacks',
    found
      ? fault('address_not_used', 'The network accepted {url}, but still reports to {found}.', {
          url,
          found,
        })
      : fault(
          'app_address_still_used',
          'The network accepted {url}, but still reports to the app’s own address.',
          { url },
        ),
    verify,
  );
}

/** The token's app among those of an account. If the token's is not known, it is the only one. */
function appOf(apps: SubscribedApp[], appId: string | undefined): SubscribedApp | undefined {
  if (appId !== undefined) return apps.find((app) => app.appId === appId);
  return apps.length === 1 ? apps[0] : undefined;
}
