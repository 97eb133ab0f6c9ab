import type {
  AutomatedSender,
  ReadyMessage,
} from '../../messages/sending/automated/send-automated.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import type { Match } from '../matching/rank-bots.ts';
import type { BotRow } from '../queries.ts';
import { prepareAnswer, type Recipient } from './prepare-answer.ts';

export type Choice = {
  chosen: (Match<BotRow> & { ready: ReadyMessage }) | undefined;
  /** Bots that match better but cannot answer, such as one whose template is no longer approved. */
  problems: { bot: BotRow; problem: Fault }[];
};

/** Finds the first of the matching bots that can answer, with its answer. */
export async function chooseAnswer(
  sender: AutomatedSender,
  matches: Match<BotRow>[],
  recipient: Recipient,
): Promise<Choice> {
  const problems: Choice['problems'] = [];
  for (const { bot, keyword } of matches) {
    const ready = await prepareAnswer(sender, bot, recipient);
    if (!('problem' in ready)) return { chosen: { bot, keyword, ready }, problems };
    problems.push({ bot, problem: ready.problem });
  }
  return { chosen: undefined, problems };
}
