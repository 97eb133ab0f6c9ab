import type { NetworkClient } from '../../whatsapp/client.ts';
import { refusalMessage } from '../../whatsapp/errors.ts';
import type { Sendability } from '../../whatsapp/look-up-sendability.ts';
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
  const registration = (found: string) => passed('registration', found);
  if (status === undefined)
    return registration('The network did not say whether it is registered.');
  if (isInPhoneApp) return registration('The number is in the WhatsApp Business app too.');
  if (gone.includes(status)) {
    const fix = 'See the number in Meta’s WhatsApp Manager, and connect another one.';
    return failed('registration', `The number cannot send: its status is ${status}.`, fix);
  }
  if (!unregistered.includes(status)) {
    return registration(
      limited.includes(status)
        ? `The number is registered, with limits: its status is ${status}.`
        : 'The number is registered.',
    );
  }
  const needed = hasPin
    ? 'Give the six-digit PIN of its two-step verification, with which Parley registers it. A forgotten PIN is changed in Meta’s WhatsApp Manager, under Two-step verification.'
    : 'Choose a PIN of six digits, with which Parley registers it.';
  const how = `${needed} On the command line: \`parley number verify\` with --pin-file.`;
  if (pin === undefined) {
    const found = `The number is not registered (${status}), so it cannot send.`;
    return failed('registration', hasPin ? `${found} Its PIN is missing.` : found, how);
  }
  const registered = await network.registerNumber(number, pin);
  if (registered.outcome === 'found') return registration('The number is registered now.');
  const why =
    registered.outcome === 'refused'
      ? refusalMessage(registered.error)
      : 'The network does not respond';
  return failed('registration', `The number could not be registered: ${why}.`, how);
}

/** Checks the network's own verdict, which includes a missing payment method. */
export function checkHealth({ health }: Sendability): Check[] {
  if (!health) return [];
  const { verdict, reasons } = health;
  const why = reasons.length > 0 ? ` ${reasons.join(' ')}` : '';
  if (verdict === 'BLOCKED') {
    const fix = 'Do what it says in Meta’s WhatsApp Manager. A payment method is added there too.';
    return [failed('health', `WhatsApp does not let the number send.${why}`, fix)];
  }
  if (verdict === 'LIMITED')
    return [passed('health', `WhatsApp lets the number send little.${why}`)];
  return [passed('health', 'WhatsApp lets the number send.')];
}
