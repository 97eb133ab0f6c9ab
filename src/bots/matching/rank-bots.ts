import { type MatchKind, matchKinds } from '../schema.ts';
import { foldText } from './fold-text.ts';
import { matchesKeyword, type Words, wordsOf } from './match-keyword.ts';

/** What a message gives to go by. */
export type Incoming = {
  /** What was written, and what a tapped button carries; a keyword may be in any of them. */
  texts: string[];
  /** Whether it is the first message that its phone ever wrote. */
  isFirst: boolean;
};

type Matchable = { id: number; match: MatchKind; keywords: string[] };

/** A bot that matches, and the keyword by which it does; null for first_message and any. */
export type Match<Bot> = { bot: Bot; keyword: string | null };

/**
 * The bots that match a message, the one to answer first: the more specific kind of match, of
 * these the longer keyword, of these the older bot.
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

/** The longest keyword of a bot that matches; its length in characters. */
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
