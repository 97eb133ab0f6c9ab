import type { ReadyMessage, UnaskedSender } from '../../messages/sending/send-unasked.ts';
import { type Incoming, rankBots } from '../matching/rank-bots.ts';
import type { BotRow } from '../queries.ts';
import { prepareAnswer, type Recipient } from './prepare-answer.ts';

export type Choice = {
  chosen: { bot: BotRow; keyword: string | null; ready: ReadyMessage } | undefined;
  /** Bots that match better but cannot answer, such as one whose template is no longer approved. */
  problems: { bot: BotRow; problem: string }[];
};

/** The best matching bot that can answer, with its answer. */
export async function chooseAnswer(
  sender: UnaskedSender,
  bots: BotRow[],
  incoming: Incoming,
  recipient: Recipient,
): Promise<Choice> {
  const problems: Choice['problems'] = [];
  for (const { bot, keyword } of rankBots(bots, incoming)) {
    const ready = await prepareAnswer(sender, bot, recipient);
    if (!('problem' in ready)) return { chosen: { bot, keyword, ready }, problems };
    problems.push({ bot, problem: ready.problem });
  }
  return { chosen: undefined, problems };
}
