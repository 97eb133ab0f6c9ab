import type { BotRow, MessageBotRow, TemplateBotRow } from './queries.ts';
import type { MessageBot, TemplateBot } from './schema.ts';

export function presentMessageBot(bot: MessageBotRow): MessageBot {
  const { id, name, active, match, keywords, reply } = bot;
  return { id, name, active, match, keywords, reply };
}

export function presentTemplateBot(bot: TemplateBotRow): TemplateBot {
  const { id, name, active, match, keywords, template_name, template_language, fields } = bot;
  return { id, name, active, match, keywords, template_name, template_language, fields };
}

/** Presents a bot of either kind, for lists with both. */
export function presentBot(bot: BotRow) {
  return bot.kind === 'message'
    ? { kind: bot.kind, ...presentMessageBot(bot) }
    : { kind: bot.kind, ...presentTemplateBot(bot) };
}
