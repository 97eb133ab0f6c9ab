import { refusalMessage } from '../../whatsapp/errors.ts';
import type { SubscribedApp } from '../../whatsapp/subscriptions.ts';
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

const takeOver =
  'If that program is not used any more, take over: `parley number verify` with --take-over, or the dashboard. It gets no messages of this account then.';

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
        `The app secret is not that of the app ${appId}, to which the access token belongs, so reports of WhatsApp cannot be verified.`,
        'Copy the app secret of that app (App settings > Basic), and connect the number again with it.',
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
    const why = listed.outcome === 'refused' ? refusalMessage(listed.error) : 'it does not respond';
    // Nothing is known to be wrong; a message proves whether it is right.
    return passed(
      'callbacks',
      `The network did not say where the messages of the account go: ${why}.`,
    );
  }
  const app = appOf(listed.value, appId);
  const others = listed.value
    .filter((each) => each !== app)
    .map(({ name, appId }) => name ?? appId);
  const also = others.length > 0 ? ` So do other apps: ${others.join(', ')}.` : '';
  const good = passed('callbacks', `The messages of the account are reported to Parley.${also}`);
  const whose = app?.overrideUrl
    ? await whoseAddress(services, number.tenantId, app.overrideUrl)
    : app && webhook?.whose;
  if (whose === 'ours') return good;
  if (app?.overrideUrl && whose === 'foreign' && !checker.takeOver) {
    const found = `The messages of the account go to another address: ${app.overrideUrl}.`;
    return failed('held_callbacks', found, takeOver);
  }
  if (!repair && app && !app.overrideUrl && webhook === undefined) {
    return passed('callbacks', 'The network did not say to which address the app reports.');
  }
  const problem = repair ? await subscribe(checker) : failed('callbacks', lacking(app), verify);
  return problem ? unlessArriving(problem, number, whose) : good;
}

/** Why nothing is reported, if no address is known to be ours. */
function lacking(app: SubscribedApp | undefined): string {
  if (!app) return 'The app is not subscribed to the account, so nothing is reported.';
  return app.overrideUrl
    ? `The messages of the account go to ${app.overrideUrl}, which is not connected any more.`
    : 'The messages of the account go to the app’s own address, which is not Parley’s.';
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
    return failed('callbacks', 'The network does not respond at the moment.', verify);
  }
  if (subscribed.outcome === 'refused') return refusedAddress(url, subscribed.error);
  const listed = await network.subscriptions.listApps(number, account);
  if (listed.outcome !== 'found') return undefined;
  const found = appOf(listed.value, appId)?.overrideUrl;
  if (found === url) return undefined;
  return failed(
    'callbacks',
    `The network accepted ${url}, but still reports to ${found ?? 'the app’s own address'}.`,
    verify,
  );
}

/** The token's app among those of an account. If the token's is not known, it is the only one. */
function appOf(apps: SubscribedApp[], appId: string | undefined): SubscribedApp | undefined {
  if (appId !== undefined) return apps.find((app) => app.appId === appId);
  return apps.length === 1 ? apps[0] : undefined;
}
