import { findContactByPhone } from '../contacts/find-contact-by-phone.ts';
import type { AutomatedSender } from '../messages/sending/automated/send-automated.ts';
import { noNumber } from '../messages/sending/find-senders.ts';
import type { NumberFinder } from '../numbers/find-number.ts';
import type { Db } from '../platform/database/database.ts';
import type { Fault } from '../platform/errors/fault.ts';
import { chooseAnswer } from './answering/choose-answer.ts';
import { valuesOf } from './answering/prepare-answer.ts';
import { sampleValues } from './check-bot.ts';
import { rankBots } from './matching/rank-bots.ts';
import { type BotRow, listActiveBots } from './queries.ts';

/** The bot that would answer a message, with its answer. */
export type TriedBots = {
  bot: BotRow | null;
  /** The keyword that matched; null for first_message and any. */
  keyword: string | null;
  /** In the form of a stored message: a text, or a template as the phone shows it. */
  answer: object | null;
  /** Bots that match better but cannot answer, with the reasons. */
  problems: { bot: BotRow; problem: Fault }[];
};

/**
 * Computes how a message would be answered, without sending anything.
 *
 * @param phone its contact fills the placeholders; by default a sample contact
 * @throws ApiError 422 if the tenant has no number
 */
export async function tryBots(
  { db, numbers, sender }: { db: Db; numbers: NumberFinder; sender: AutomatedSender },
  tenantId: number,
  { text, phone, isFirst = false }: { text: string; phone?: string; isFirst?: boolean },
): Promise<TriedBots> {
  const from = await numbers.defaultNumber(tenantId);
  if (!from) throw noNumber();
  const bots = await listActiveBots(db, tenantId);
  const values = phone
    ? valuesOf(await findContactByPhone(db, tenantId, phone), phone, text)
    : { ...sampleValues, message: text };
  const recipient = { tenantId, from, phone: phone ?? sampleValues.phone, values };
  const matches = rankBots(bots, { texts: [text], isFirst });
  const { chosen, problems } = await chooseAnswer(sender, matches, recipient);
  return {
    bot: chosen?.bot ?? null,
    keyword: chosen?.keyword ?? null,
    answer: chosen?.ready.storedContent ?? null,
    problems,
  };
}
