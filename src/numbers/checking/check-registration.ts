import { type Fault, fault } from '../../platform/errors/fault.ts';
import type { NetworkClient } from '../../whatsapp/client.ts';
import { refusalSentence } from '../../whatsapp/errors.ts';
import type { Sendability } from '../../whatsapp/numbers/look-up-sendability.ts';
import type { ConnectedNumber } from '../find-number.ts';
import { type Check, failed, passed } from './check.ts';

/** A number with one of these must be registered before it can send. */
const unregistered = ['PENDING', 'DISCONNECTED', 'UNVERIFIED'];
/** A number with one of these will not send again. */
const gone = ['BANNED', 'DELETED', 'MIGRATED', 'UNLINKED'];
/** A number with one of these sends, but less than it could. */
const limited = ['FLAGGED', 'RESTRICTED', 'RATE_LIMITED'];

/**
 * Checks that a number is registered with the network, and registers it if a PIN is given.
 *
 * @param pin six digits: the number's own PIN, or a new one if it has none
 */
export async function checkRegistration(
  network: NetworkClient,
  number: ConnectedNumber,
  { status, hasPin, isInPhoneApp }: Sendability,
  pin?: string,
): Promise<Check> {
  const registration = (found: Fault) => passed('registration', found);
  if (status === undefined)
    return registration(
      fault('registration_not_known', 'The network did not say whether it is registered.'),
    );
  if (isInPhoneApp)
    return registration(fault('in_phone_app', 'The number is in the WhatsApp Business app too.'));
  if (gone.includes(status)) {
    const fix = fault(
      'connect_another_number',
      'See the number in Meta’s WhatsApp Manager, and connect another one.',
    );
    const found = fault('number_gone', 'The number cannot send: its status is {status}.', {
      status,
    });
    return failed('registration', found, fix);
  }
  if (!unregistered.includes(status)) {
    return registration(
      limited.includes(status)
        ? fault(
            'number_limited',
            'The number is registered, with limits: its status is {status}.',
            { status },
          )
        : fault('registered', 'The number is registered.'),
    );
  }
  const how = hasPin
    ? fault(
        'give_pin',
        'Give the six-digit PIN of its two-step verification, with which Parley registers it. A forgotten PIN is changed in Meta’s WhatsApp Manager, under Two-step verification. On the command line: `parley number verify` with --pin-file.',
      )
    : fault(
        'choose_pin',
        'Choose a PIN of six digits, with which Parley registers it. On the command line: `parley number verify` with --pin-file.',
      );
  if (pin === undefined) {
    const found = hasPin
      ? fault(
          'not_registered_without_pin',
          'The number is not registered ({status}), so it cannot send. Its PIN is missing.',
          { status },
        )
      : fault('not_registered', 'The number is not registered ({status}), so it cannot send.', {
          status,
        });
    return failed('registration', found, how);
  }
  const registered = await network.registerNumber(number, pin);
  if (registered.outcome === 'found')
    return registration(fault('registered_now', 'The number is registered now.'));
  const found =
    registered.outcome === 'refused'
      ? fault('registration_refused', 'The number could not be registered: {why}', {
          why: refusalSentence(registered.error),
        })
      : fault(
          'registration_unanswered',
          'The number could not be registered: The network does not respond.',
        );
  return failed('registration', found, how);
}

export const seeWhatsAppManager = fault(
  'see_whatsapp_manager',
  'Do what it says in Meta’s WhatsApp Manager. A payment method is added there too.',
);

/** Checks the network's own verdict, which includes a missing payment method. */
export function checkHealth({ health }: Sendability): Check[] {
  if (!health) return [];
  const { verdict, reasons } = health;
  // The network's own words.
  const why = reasons.join(' ');
  if (verdict === 'BLOCKED') {
    const found = why
      ? fault('blocked_because', 'WhatsApp does not let the number send. {why}', { why })
      : fault('blocked', 'WhatsApp does not let the number send.');
    return [failed('health', found, seeWhatsAppManager)];
  }
  if (verdict !== 'LIMITED')
    return [passed('health', fault('may_send', 'WhatsApp lets the number send.'))];
  const found = why
    ? fault('sends_little_because', 'WhatsApp lets the number send little. {why}', { why })
    : fault('sends_little', 'WhatsApp lets the number send little.');
  return [passed('health', found)];
}
