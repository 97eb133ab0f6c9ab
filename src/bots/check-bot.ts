import { byField, contactFieldNames, contactFields } from '../contacts/fields/contact-fields.ts';
import { noNumber } from '../messages/sending/find-senders.ts';
import type { ConnectedNumber, NumberFinder } from '../numbers/find-number.ts';
import { type FieldErrors, invalid } from '../platform/errors/api-error.ts';
import { type Fault, fault } from '../platform/errors/fault.ts';
import { createValidatorCompiler } from '../platform/http/validation.ts';
import { foldText } from '../platform/values/texts/fold-text.ts';
import { headerFormat } from '../templates/components.ts';
import { fillTemplate } from '../templates/fill-template.ts';
import { sendable, type TemplateFinder } from '../templates/find-sendable-template.ts';
import { fieldValues } from './answering/prepare-answer.ts';
import {
  placeholderNames,
  sampleMetadata,
  unknownPlaceholders,
} from './matching/fill-placeholders.ts';
import type { BotContent } from './queries.ts';
import { type GivenBot, type NewBot, NewMessageBot, NewTemplateBot } from './schema.ts';

export type BotServices = { numbers: NumberFinder; findTemplate: TemplateFinder };

const compile = createValidatorCompiler();
const validators = {
  message: compile({ schema: NewMessageBot, httpPart: 'body', method: '', url: '' }),
  template: compile({ schema: NewTemplateBot, httpPart: 'body', method: '', url: '' }),
};

const fillable = new Intl.ListFormat('en-GB').format([...placeholderNames, 'metadata.name']);

/** The values of a contact with all fields. */
export const sampleValues = {
  ...byField(contactFieldNames, (name) => contactFields[name].example),
  name: 'Ada Lovelace',
  message: 'Hello',
};

/**
 * Validates a bot and converts it to its stored form. The template is checked by `checkTemplate`.
 *
 * @throws ApiError 422 with the faults of each field
 */
export function checkBot(given: GivenBot): BotContent {
  const { error } = validators[given.kind](given) as { error?: Error };
  if (error) throw error;
  const bot = given as NewBot;
  const keywords = [...new Set((bot.keywords ?? []).map((keyword) => keyword.trim()))];
  const errors: FieldErrors = {};
  const problem = keywordsProblem(bot.match, keywords);
  if (problem) errors.keywords = [problem];
  for (const [field, texts] of Object.entries(textsOf(bot))) {
    const [unknown] = texts.flatMap(unknownPlaceholders);
    if (unknown) {
      errors[field] = [
        fault('unknown_placeholder', 'has {unknown}, which is not a placeholder; use {known}', {
          unknown,
          known: fillable,
        }),
      ];
    }
  }
  if (bot.kind === 'message' && foldText(bot.reply) === '') {
    errors.reply = [fault('no_visible_text', 'must have visible text')];
  }
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const { kind, name, match, active = true, pause_minutes = 0 } = bot;
  const common = { name, active, match, keywords, pause_minutes };
  if (kind === 'message') return { kind, ...common, reply: bot.reply };
  const { template_name, template_language, fields = [] } = bot;
  return { kind, ...common, template_name, template_language, fields };
}

function textsOf(bot: NewBot): Record<string, string[]> {
  return bot.kind === 'message' ? { reply: [bot.reply] } : { fields: bot.fields ?? [] };
}

function keywordsProblem(match: NewBot['match'], keywords: string[]): Fault | undefined {
  if (match === 'first_message' || match === 'any') {
    return keywords.length > 0
      ? fault('keywords_not_used', 'must be absent: a bot that matches {match} has no keywords', {
          match,
        })
      : undefined;
  }
  if (keywords.length === 0) return fault('no_keywords', 'must have at least one entry');
  return keywords.some((keyword) => foldText(keyword) === '')
    ? fault('empty_keyword', 'must not have an empty entry')
    : undefined;
}

/**
 * Checks whether a template bot can answer now. It answers from the number that was written to, so one of the
 * tenant's business accounts must have the template.
 *
 * @throws ApiError 422 on `template_name`, `template_language` or `field_N`
 */
export async function checkTemplate(
  { numbers, findTemplate }: BotServices,
  tenantId: number,
  bot: BotContent,
): Promise<void> {
  if (bot.kind !== 'template') return;
  const senders = await numbers.senders(tenantId);
  if (senders.length === 0) throw noNumber();
  const ofAccounts = new Map(senders.map((number) => [number.businessAccountId, number]));
  const checks = [...ofAccounts.values()].map((number) =>
    checkTemplateAt(findTemplate, number, bot),
  );
  await Promise.any(checks).catch(({ errors: [first] }: AggregateError) => {
    throw first;
  });
}

async function checkTemplateAt(
  findTemplate: TemplateFinder,
  number: ConnectedNumber,
  bot: Extract<BotContent, { kind: 'template' }>,
): Promise<void> {
  const template = sendable(await findTemplate(number, bot.template_name, bot.template_language));
  if (template.category === 'AUTHENTICATION') {
    throw invalid({
      template_name: [
        fault(
          'bot_authentication_template',
          'is an authentication template, which a bot cannot send',
        ),
      ],
    });
  }
  const format = headerFormat(template);
  if (format && format !== 'TEXT') {
    throw invalid({
      template_name: [
        fault('bot_media_header', 'has a header of type {format}, which a bot cannot fill', {
          format: format.toLowerCase(),
        }),
      ],
    });
  }
  const filled = fillTemplate(template, {
    fields: fieldValues(bot.fields, { ...sampleValues, ...sampleMetadata(bot.fields) }),
  });
  if ('errors' in filled) throw invalid(filled.errors);
}
