import type { BotRow, MessageBotRow, TemplateBotRow } from './queries.ts';
import type { MessageBot, TemplateBot } from './schema.ts';

export function presentMessageBot(bot: MessageBotRow): MessageBot {
  const { reply } = bot;
  return { ...commonOf(bot), reply };
}

export function presentTemplateBot(bot: TemplateBotRow): TemplateBot {
  const { template_name, template_language, fields } = bot;
  return { ...commonOf(bot), template_name, template_language, fields };
}

function commonOf({ id, name, active, match, keywords, pause_minutes }: BotRow) {
  return { id, name, active, match, keywords, pause_minutes };
}

/** Presents a bot of either kind, for lists with both. */
export function presentBot(bot: BotRow) {
  return bot.kind === 'message'
    ? { kind: bot.kind, ...presentMessageBot(bot) }
    : { kind: bot.kind, ...presentTemplateBot(bot) };
}
