import type { UserMessage } from '../../messages/receiving/find-user-message.ts';
import type { ConnectedNumber } from '../../numbers/find-number.ts';
import { hasPhone } from '../../numbers/number-name.ts';
import { type Fault, fault } from '../../platform/errors/fault.ts';
import { isUserId, userIdOf } from '../../platform/values/phones/recipient.ts';
import type { BotRow } from '../queries.ts';
import type { RecentAnswers } from './answer-queries.ts';

/** More answers to one phone look like two bots that talk to each other. */
export const maxAnswersPerMinute = 10;
/** Stops two bots that talk to each other too slowly for the limit of a minute. */
export const maxAnswersPerDay = 100;
/** An older message is from before an outage, so people may have answered it by other means. */
const maxAgeMs = 3_600_000;

export const numberLost = fault(
  'receiving_number_lost',
  'The number that received the message is no longer connected.',
);

/** Finds why bots leave a message alone, whatever they would reply. */
export function reasonToSkip(
  { phone, created_at: createdAt, is_with_member: isWithMember }: UserMessage,
  connected: ConnectedNumber[],
  now: Date,
): Fault | undefined {
  if (!canReceive(phone)) return fault('sender_not_named', 'The network does not name the sender.');
  if (connected.some((own) => hasPhone(own, phone))) {
    return fault('from_own_number', 'The message is from one of your own numbers.');
  }
  if (createdAt.getTime() < now.getTime() - maxAgeMs) return tooOld;
  return isWithMember ? withMember : undefined;
}

const tooOld = fault('message_too_old', 'The message is more than an hour old.');
const withMember = fault(
  'answered_by_member',
  'A member has this conversation. Bots reply again after it is closed or nobody is assigned.',
);

function canReceive(identity: string): boolean {
  const userId = userIdOf(identity);
  return userId === undefined || isUserId(userId);
}

/** Finds why a phone that got many replies gets no further one. */
export function loopOf({ in_a_minute, in_a_day }: RecentAnswers): Fault | undefined {
  if (in_a_minute >= maxAnswersPerMinute) return loop;
  return in_a_day >= maxAnswersPerDay ? slowLoop : undefined;
}

const loop = fault(
  'bots_in_a_loop',
  'This phone got {max} replies within a minute, which looks like two bots that talk to each other, so it gets no further reply for now.',
  { max: maxAnswersPerMinute },
);
const slowLoop = fault(
  'bots_in_a_slow_loop',
  'This phone got {max} replies within 24 hours, which looks like two bots that talk to each other, so it gets no further reply for now.',
  { max: maxAnswersPerDay },
);

/** The reason why a bot with a pause does not reply again yet. */
export function pauseOf({ pause_minutes: minutes }: BotRow): Fault {
  const ago = minutes === 1 ? 'a minute' : `${minutes} minutes`;
  return fault('bot_paused', `The bot replied to this phone less than ${ago} ago.`, { minutes });
}
