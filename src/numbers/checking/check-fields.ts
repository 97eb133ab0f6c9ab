import { networkSilent } from '../../platform/errors/common-faults.ts';
import { type Fault, fault } from '../../platform/errors/fault.ts';
import { wantedFields } from '../../whatsapp/numbers/subscriptions.ts';
import { callbackUrl } from '../present-number.ts';
import {
  type CallbackChecker,
  refusedAddress,
  unlessArriving,
  type Webhook,
} from './callbacks/callback-checker.ts';
import { isHere } from './callbacks/whose-address.ts';
import { type Check, failed, passed } from './check.ts';

/** Checks that the app of a number reports messages, and chooses the fields if its webhook is ours or missing. */
export async function checkFields(checker: CallbackChecker, webhook: Webhook): Promise<Check> {
  const fields = webhook?.set.fields ?? [];
  const missing = wantedFields.filter((field) => !fields.includes(field));
  const hasMessages = fields.includes('messages');
  const url = webhook && isOthers(checker, webhook) ? webhook.set.callbackUrl : undefined;
  if (url !== undefined && hasMessages) {
    // Also if taken over: the messages of other numbers and accounts may go to it.
    return passed(
      'fields',
      fault(
        'templates_reported_elsewhere',
        'The app reports messages. What changes about templates is reported to {url}; Parley looks for it every hour.',
        { url },
      ),
    );
  }
  if (url !== undefined && !checker.takeOver) {
    return failed(
      'held_callbacks',
      fault(
        'messages_not_reported_to',
        'The app does not report messages: the field “messages” is not chosen. Its own address is {url}.',
        { url },
      ),
      subscribeToMessages(checker),
    );
  }
  const isRight = missing.length === 0 && webhook?.whose === 'ours';
  const good = passed(
    'fields',
    url === undefined
      ? fault('reports_all', 'The app reports messages, and changes of templates and the account.')
      : fault(
          'reports_all_instead',
          'The app reports messages, and changes of templates and accounts. Its own address is Parley’s now, and no longer {url}.',
          { url },
        ),
  );
  if (isRight) return good;
  if (checker.repair) {
    const problem = await choose(checker);
    return problem ? unlessArriving(problem, checker.number, webhook?.whose) : good;
  }
  if (hasMessages) return passed('fields', fault('reports_messages', 'The app reports messages.'));
  return failed(
    'fields',
    fault(
      'messages_not_reported',
      'The app does not report messages: the field “messages” is not chosen.',
    ),
    fault(
      'choose_fields',
      'Run `parley number verify`, or press “Check” in the dashboard: this chooses the fields.',
    ),
  );
}

/** Whether the address of an app is to be left to another program or installation. */
function isOthers(
  { services: { config }, repair, takeOver }: CallbackChecker,
  { set, whose }: NonNullable<Webhook>,
): boolean {
  return whose === 'foreign' || (repair && !takeOver && !isHere(config, set.callbackUrl));
}

/** The advice for an app with the address of another program, which does not report messages to anybody. */
function subscribeToMessages({ otherAccounts }: CallbackChecker): Fault {
  return otherAccounts.length > 0
    ? fault(
        'subscribe_to_messages_or_take_accounts',
        'In Meta’s app dashboard, under WhatsApp > Configuration, subscribe to “messages”. If nothing else uses the app, take over instead: `parley number verify` with --take-over, or the dashboard. This replaces the app’s own address, also for the accounts {accounts}.',
        { accounts: otherAccounts.join(', ') },
      )
    : fault(
        'subscribe_to_messages',
        'In Meta’s app dashboard, under WhatsApp > Configuration, subscribe to “messages”. If nothing else uses the app, take over instead: `parley number verify` with --take-over, or the dashboard. This replaces the app’s own address.',
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
  return failed('fields', networkSilent, fault('check_again', 'Check the number again.'));
}
