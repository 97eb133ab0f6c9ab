import { findContactByPhone } from '../../contacts/find-contact-by-phone.ts';
import { findWindow } from '../../messages/conversations/find-window.ts';
import { findUserMessage, type UserMessage } from '../../messages/receiving/find-user-message.ts';
import { findAutomatedOutcome } from '../../messages/sending/automated/find-automated-outcome.ts';
import {
  type AutomatedSender,
  lostResponse,
  type ReadyMessage,
} from '../../messages/sending/automated/send-automated.ts';
import type { ConnectedNumber, NumberFinder } from '../../numbers/find-number.ts';
import type { Clock } from '../../platform/clock.ts';
import type { Database } from '../../platform/database/database.ts';
import { type Incoming, rankBots } from '../matching/rank-bots.ts';
import { type BotRow, listActiveBots } from '../queries.ts';
import {
  type AnswerState,
  type ClaimedAnswer,
  countRecentAnswers,
  linkAnswer,
} from './answer-queries.ts';
import { chooseAnswer } from './choose-answer.ts';
import { valuesOf } from './prepare-answer.ts';

/** What came of a message in hand. `again`: it surely was not answered, and may be another time. */
export type AnswerOutcome = {
  state: Exclude<AnswerState, 'waiting'>;
  reason: string | null;
  bot: Pick<BotRow, 'id' | 'name'> | null;
  again?: boolean;
};

/** More to one phone within a minute looks like two bots that talk to each other. */
export const mostAnswersPerMinute = 10;

type Services = { db: Database; clock: Clock; numbers: NumberFinder; sender: AutomatedSender };

/**
 * Answers an inbound message where a bot matches it. The answer is written down together with a
 * reference to it in the message's own row, then it goes out; a message that comes back (its process
 * died) finds that reference, and is never answered twice.
 *
 * @returns 'later' when an earlier answer is still on its way, 'nothing' when no bot matches
 */
export async function answerMessage(
  services: Services,
  claimed: ClaimedAnswer,
): Promise<AnswerOutcome | 'later' | 'nothing'> {
  const { db, numbers } = services;
  const { tenant_id: tenantId, inbound_id: inboundId } = claimed;
  if (claimed.message_id !== null) {
    const earlier = await outcomeOfMessage(services, tenantId, claimed.message_id);
    if (earlier) return earlier;
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
  const skip = (reason: string): AnswerOutcome => ({ state: 'skipped', reason, bot: best.bot });
  if (!from) return skip('The number that was written to is not connected any more.');
  if (!message.phone.startsWith('+')) return skip('The network hides the phone.');
  if (connected.some((own) => isPhoneOf(own, message.phone))) {
    return skip('One of your own numbers wrote this.');
  }
  if (await isOverPace(services, tenantId, message.phone)) return skip(loop);

  const recipient = await recipientOf(services, tenantId, from, message);
  const { chosen, problems } = await chooseAnswer(services.sender, matches, recipient);
  const told = problems.map(({ bot, problem }) => `${bot.name}: ${problem}`).join(' ') || null;
  if (!chosen) return skip(told!);
  return send(services, claimed, { ...chosen, told });
}

const loop = `${mostAnswersPerMinute} answers went to this phone within a minute, as when two bots talk to each other, so this one was left out.`;

function incomingOf({ content, is_first: isFirst }: UserMessage): Incoming {
  const texts = [content.text, content.payload].filter((text) => typeof text === 'string');
  return { texts, isFirst };
}

/** A message that an earlier try wrote an answer to stays in the log. */
function unanswered({ message_id }: ClaimedAnswer): AnswerOutcome | 'nothing' {
  if (message_id === null) return 'nothing';
  return { state: 'failed', reason: 'No bot answers this any more.', bot: null };
}

async function isOverPace({ db }: Services, tenantId: number, phone: string) {
  const recent = await countRecentAnswers(db, tenantId, phone);
  return recent >= mostAnswersPerMinute;
}

async function recipientOf(
  { db, clock }: Services,
  tenantId: number,
  from: ConnectedNumber,
  { phone, content }: UserMessage,
) {
  const [contact, window] = await Promise.all([
    findContactByPhone(db, tenantId, phone),
    findWindow(db, tenantId, phone),
  ]);
  return {
    tenantId,
    from,
    phone,
    values: valuesOf(contact, phone, content.text ?? ''),
    isWindowOpen: window !== null && window > clock.now(),
  };
}

async function send(
  { db, sender }: Services,
  claimed: ClaimedAnswer,
  { bot, ready, told }: { bot: BotRow; ready: ReadyMessage; told: string | null },
): Promise<AnswerOutcome> {
  const { tenant_id: tenantId } = claimed;
  const messageId = await db.transaction(async (tx) => {
    const id = await sender.store(tx, tenantId, ready);
    const link = { messageId: id, bot };
    // Thrown, so that the answer is not written down either.
    if (!(await linkAnswer(tx, claimed, link))) throw new Error('the message is in other hands');
    return id;
  });
  const sent = await sender.send(tenantId, messageId, ready);
  if (sent.sent) return { state: 'sent', reason: told, bot };
  const reason = [told, sent.reason].filter(Boolean).join(' ');
  return { state: sent.lost ? 'unknown' : 'failed', reason, bot, again: sent.again };
}

/** What came of the answer of an earlier try; undefined when it surely was not sent. */
async function outcomeOfMessage(
  { db }: Services,
  tenantId: number,
  messageId: number,
): Promise<AnswerOutcome | 'later' | undefined> {
  switch (await findAutomatedOutcome(db, tenantId, messageId)) {
    case 'on_its_way':
      return 'later';
    case 'sent':
    case 'gone':
      return { state: 'sent', reason: null, bot: null };
    case 'lost':
      return { state: 'unknown', reason: lostResponse, bot: null };
    case 'not_sent':
      return undefined;
  }
}

function isPhoneOf({ displayPhoneNumber }: ConnectedNumber, phone: string): boolean {
  return displayPhoneNumber?.replace(/\D/g, '') === phone.slice(1);
}
