import { findContactByPhone } from '../../contacts/find-contact-by-phone.ts';
import { findUserMessage, type UserMessage } from '../../messages/receiving/find-user-message.ts';
import type {
  AutomatedOutcome,
  AutomatedSender,
  ReadyMessage,
} from '../../messages/sending/automated/send-automated.ts';
import type { ConnectedNumber, NumberFinder } from '../../numbers/find-number.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { type Fault, fault, joined } from '../../platform/errors/fault.ts';
import { type Incoming, rankBots } from '../matching/rank-bots.ts';
import { type BotRow, listActiveBots } from '../queries.ts';
import {
  type AnswerState,
  type ClaimedAnswer,
  findRecentAnswers,
  linkAnswer,
} from './answer-queries.ts';
import { chooseAnswer } from './choose-answer.ts';
import { valuesOf } from './prepare-answer.ts';
import { loopOf, numberLost, pauseOf, reasonToSkip } from './reasons-to-skip.ts';

/** The outcome of a claimed message. `again`: it was certainly not answered, and a retry may succeed. */
export type AnswerOutcome = {
  state: Exclude<AnswerState, 'waiting'>;
  reason: Fault | null;
  bot: Pick<BotRow, 'id' | 'name'> | null;
  again?: boolean;
};

type Services = { db: Database; clock: Clock; numbers: NumberFinder; sender: AutomatedSender };

/**
 * Answers an inbound message if a bot matches it. The answer and a reference to it from the inbound message are stored
 * in one transaction before it is sent. If the process dies, the next attempt finds the reference, so that a message
 * is never answered twice.
 *
 * @returns 'later' if an earlier answer is still being sent, 'nothing' if no bot matches
 */
export async function answerMessage(
  services: Services,
  claimed: ClaimedAnswer,
): Promise<AnswerOutcome | 'later' | 'nothing'> {
  const { db, clock, numbers, sender } = services;
  const { tenant_id: tenantId, inbound_id: inboundId } = claimed;
  if (claimed.message_id !== null) {
    const earlier = await sender.resume(tenantId, claimed.message_id);
    if (earlier === 'later') return 'later';
    if (earlier) return outcomeOf(earlier === 'gone' ? { sent: true } : earlier, null, []);
  }
  const [message, bots] = await Promise.all([
    findUserMessage(db, tenantId, inboundId),
    listActiveBots(db, tenantId),
  ]);
  if (!message) return unanswered(claimed);
  const matches = rankBots(bots, incomingOf(message));
  const [best] = matches;
  if (!best) return unanswered(claimed);

  const connected = await numbers.connected(tenantId);
  const from = connected.find(({ id }) => id === message.number_id);
  const skip = (reason: Fault, { bot } = best): AnswerOutcome => ({
    state: 'skipped',
    reason,
    bot,
  });
  if (!from) return skip(numberLost);
  const unsuited = reasonToSkip(message, connected, clock.now());
  if (unsuited) return skip(unsuited);
  const recent = await findRecentAnswers(db, tenantId, message.phone);
  const tooMany = loopOf(recent);
  if (tooMany) return skip(tooMany);

  const recipient = await recipientOf(services, tenantId, from, message);
  const { chosen, problems } = await chooseAnswer(sender, matches, recipient);
  const earlier = problems.map(({ bot, problem }) =>
    fault('of_bot', '{bot}: {problem}', { bot: bot.name, problem }),
  );
  if (!chosen) return skip(joined(earlier)!);
  if (recent.paused_bots.includes(chosen.bot.id)) return skip(pauseOf(chosen.bot), chosen);
  return send(services, claimed, { ...chosen, earlier });
}

function incomingOf({ content, is_first: isFirst }: UserMessage): Incoming {
  const texts = [content.text, content.payload].filter((text) => typeof text === 'string');
  return { texts, isFirst };
}

/** A message stays in the log if an earlier attempt stored an answer. */
function unanswered({ message_id }: ClaimedAnswer): AnswerOutcome | 'nothing' {
  if (message_id === null) return 'nothing';
  return {
    state: 'failed',
    reason: fault('no_bot_matches', 'No bot matches this message any more.'),
    bot: null,
  };
}

async function recipientOf(
  { db }: Services,
  tenantId: number,
  from: ConnectedNumber,
  { phone, content }: UserMessage,
) {
  const contact = await findContactByPhone(db, tenantId, phone);
  return { tenantId, from, phone, values: valuesOf(contact, phone, content.text ?? '') };
}

async function send(
  { db, sender }: Services,
  claimed: ClaimedAnswer,
  { bot, ready, earlier }: { bot: BotRow; ready: ReadyMessage; earlier: Fault[] },
): Promise<AnswerOutcome> {
  const { tenant_id: tenantId } = claimed;
  const messageId = await db.transaction(async (tx) => {
    const id = await sender.store(tx, tenantId, ready, { kind: 'bot', id: bot.id });
    const link = { messageId: id, bot };
    // Rolls back, so that the answer is not stored.
    if (!(await linkAnswer(tx, claimed, link))) {
      throw new Error('another process has claimed the message');
    }
    return id;
  });
  const sent = await sender.send(tenantId, messageId, ready);
  return outcomeOf(sent, bot, earlier);
}

/** @param earlier why bots that matched better did not answer */
function outcomeOf(
  sent: AutomatedOutcome,
  bot: AnswerOutcome['bot'],
  earlier: Fault[],
): AnswerOutcome {
  if (sent.sent) return { state: 'sent', reason: joined(earlier) ?? null, bot };
  const reason = joined([...earlier, sent.reason])!;
  return { state: sent.lost ? 'unknown' : 'failed', reason, bot, again: sent.again };
}
