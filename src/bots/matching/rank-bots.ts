import { foldText } from '../../platform/values/texts/fold-text.ts';
import { type MatchKind, matchKinds } from '../schema.ts';
import { matchesKeyword, type Words, wordsOf } from './match-keyword.ts';

/** The parts of a message that bots match. */
export type Incoming = {
  /** The text of the message, and the payload of a tapped button. A keyword may be in any of them. */
  texts: string[];
  /** Whether it is the first message of its phone. */
  isFirst: boolean;
};

type Matchable = { id: number; match: MatchKind; keywords: string[] };

/** A bot that matches, and the keyword that matched; null for first_message and any. */
export type Match<Bot> = { bot: Bot; keyword: string | null };

/**
 * Finds the bots that match a message, and ranks them: by the more specific kind of match, then by the longer
 * keyword, then by age.
 */
export function rankBots<Bot extends Matchable>(bots: Bot[], incoming: Incoming): Match<Bot>[] {
  const texts = incoming.texts.map(foldText).map(wordsOf);
  return bots
    .flatMap((bot) => {
      const found = matchOf(bot, texts, incoming.isFirst);
      return found ? [{ bot, ...found }] : [];
    })
    .sort(
      (a, b) =>
        matchKinds.indexOf(a.bot.match) - matchKinds.indexOf(b.bot.match) ||
        b.length - a.length ||
        a.bot.id - b.bot.id,
    )
    .map(({ bot, keyword }) => ({ bot, keyword }));
}

/** Finds the longest matching keyword of a bot, with its length in characters. */
function matchOf(bot: Matchable, texts: Words[], isFirst: boolean) {
  if (bot.match === 'any' || (bot.match === 'first_message' && isFirst)) {
    return { keyword: null, length: 0 };
  }
  const [longest] = bot.keywords
    .map((keyword) => ({ keyword, folded: foldText(keyword) }))
    .filter(({ folded }) => texts.some((text) => matchesKeyword(bot.match, text, folded)))
    .map(({ keyword, folded }) => ({ keyword, length: [...folded].length }))
    .sort((a, b) => b.length - a.length);
  return longest;
}
