import { wantedFields } from '../../whatsapp/subscriptions.ts';
import { callbackUrl } from '../present-number.ts';
import {
  type CallbackChecker,
  refusedAddress,
  unlessArriving,
  type Webhook,
} from './callback-checker.ts';
import { type Check, failed, passed } from './check.ts';

/** Checks that the app of a number reports messages, and chooses the fields if its webhook is ours or missing. */
export async function checkFields(checker: CallbackChecker, webhook: Webhook): Promise<Check> {
  const fields = webhook?.set.fields ?? [];
  const missing = wantedFields.filter((field) => !fields.includes(field));
  const hasMessages = fields.includes('messages');
  if (webhook?.whose === 'foreign' && !checker.takeOver) {
    const at = webhook.set.callbackUrl;
    return hasMessages
      ? passed(
          'fields',
          `The app reports messages. What changes about templates is reported to ${at}; Parley looks for it every hour.`,
        )
      : failed(
          'held_callbacks',
          `The app does not report messages: the field “messages” is not chosen. Its own address is ${at}.`,
          'In Meta’s app dashboard, under WhatsApp > Configuration, subscribe to “messages”. If nothing else uses the app, take over instead: `parley number verify` with --take-over, or the dashboard.',
        );
  }
  const isRight = missing.length === 0 && webhook?.whose === 'ours';
  const good = passed(
    'fields',
    'The app reports messages, and changes of templates and the account.',
  );
  if (isRight) return good;
  if (checker.repair) {
    const problem = await choose(checker);
    return problem ? unlessArriving(problem, checker.number, webhook?.whose) : good;
  }
  if (hasMessages) return passed('fields', 'The app reports messages.');
  return failed(
    'fields',
    'The app does not report messages: the field “messages” is not chosen.',
    'Run `parley number verify`, or press “Check” in the dashboard: this chooses the fields.',
  );
}

/** Sets the app's webhook. Returns what went wrong. */
async function choose({
  services: { config, network },
  number,
  appId = '',
}: CallbackChecker): Promise<Check | undefined> {
  const { networkUrl, appSecret, verifyToken } = number;
  const url = callbackUrl(config, number.callbackId);
  const set = await network.subscriptions.setWebhook(
    { networkUrl, appId, appSecret },
    { url, verifyToken },
  );
  if (set.outcome === 'found') return undefined;
  if (set.outcome === 'refused') return refusedAddress(url, set.error);
  return failed('fields', 'The network does not respond at the moment.', 'Check the number again.');
}
