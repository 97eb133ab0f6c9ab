import { byField, contactFieldNames } from '../../contacts/fields/contact-fields.ts';
import type { ContactRecord } from '../../contacts/schema.ts';
import type {
  AutomatedSender,
  ReadyMessage,
} from '../../messages/sending/automated/send-automated.ts';
import type { ConnectedNumber } from '../../numbers/find-number.ts';
import { codedProblemOf } from '../../platform/errors/api-error.ts';
import { type Fault, fault } from '../../platform/errors/fault.ts';
import { cutText } from '../../platform/values/texts/cut-text.ts';
import { fillPlaceholders, type PlaceholderValues } from '../matching/fill-placeholders.ts';
import type { BotRow, TemplateBotRow } from '../queries.ts';

/** The recipient of an answer, with the values of the placeholders. */
export type Recipient = {
  tenantId: number;
  /** The number that received the message, and sends the answer. */
  from: ConnectedNumber;
  phone: string;
  values: PlaceholderValues;
};

const maxTextLength = 4_096;

/**
 * Fills and checks the answer of a bot.
 *
 * @returns the answer, or a message for the tenant if it cannot be sent
 */
export async function prepareAnswer(
  sender: AutomatedSender,
  bot: BotRow,
  recipient: Recipient,
): Promise<ReadyMessage | { problem: Fault }> {
  if (bot.kind === 'template') return prepareTemplate(sender, bot, recipient);
  const { from, phone, values } = recipient;
  const text = cutText(fillPlaceholders(bot.reply, values).trim(), maxTextLength);
  if (text === '')
    return {
      problem: fault(
        'reply_empty',
        'The reply is empty, because the values of its placeholders are missing.',
      ),
    };
  return sender.prepareText(from, phone, text);
}

async function prepareTemplate(
  sender: AutomatedSender,
  bot: TemplateBotRow,
  { tenantId, from, phone, values }: Recipient,
): Promise<ReadyMessage | { problem: Fault }> {
  const { template_name: name, template_language: language } = bot;
  const fields = fieldValues(bot.fields, values);
  return sender
    .prepareTemplate(tenantId, { phone, name, language, fields, cutToFit: true }, from)
    .catch((error) => ({ problem: codedProblemOf(error) }));
}

/** Fills the values of a template's fields, by number. Each becomes one line, as the network requires. */
export function fieldValues(fields: string[], values: PlaceholderValues): Map<number, string> {
  return new Map(
    fields.map((field, index) => [
      index + 1,
      fillPlaceholders(field, values).replace(/\s+/gu, ' ').trim(),
    ]),
  );
}

/** Collects the values of the placeholders of an answer. */
export function valuesOf(
  contact: ContactRecord | undefined,
  phone: string,
  message: string,
): PlaceholderValues {
  // A contact without a name has its phone or user id as its first name.
  const isNamed = contact && ![contact.phone, contact.user_id, phone].includes(contact.firstname);
  const firstname = isNamed ? contact.firstname : undefined;
  const name = [firstname, contact?.lastname].filter(Boolean).join(' ');
  const fields = byField(contactFieldNames, (field) => contact?.[field]);
  const metadata = Object.fromEntries(
    Object.entries(contact?.metadata ?? {}).map(([entry, value]) => [`metadata.${entry}`, value]),
  );
  return {
    ...metadata,
    ...fields,
    firstname,
    name,
    phone: contact?.phone ?? phoneIn(phone),
    message,
  };
}

/** A person whose phone is hidden has no value for its placeholder. */
function phoneIn(identity: string): string | undefined {
  return identity.startsWith('+') ? identity : undefined;
}
