import type { Command } from 'commander';
import { listAnswers } from '../../bots/answering/answer-log-queries.ts';
import { createBot } from '../../bots/create-bot.ts';
import { deleteBot } from '../../bots/delete-bot.ts';
import { listBotsWithProblems } from '../../bots/list-bots-with-problems.ts';
import { presentBot } from '../../bots/present-bot.ts';
import type { BotRow } from '../../bots/queries.ts';
import { type MatchKind, matchKinds, type NewBot } from '../../bots/schema.ts';
import { tryBots } from '../../bots/try-bots.ts';
import { automatedSenderOf } from '../../messages/sending/automated/automated-sender-of.ts';
import { createNumberFinder } from '../../numbers/find-number.ts';
import { isPhone } from '../../platform/values/phones/phone.ts';
import type { Services } from '../../services.ts';
import { createTemplateFinder } from '../../templates/find-sendable-template.ts';
import {
  CommandError,
  idFrom,
  type Output,
  table,
  tenantBySlug,
  withServices,
} from '../command.ts';

export function botCommands(program: Command): void {
  const bot = program.command('bot').description('Answer inbound messages by keyword.');
  createMessage(bot);
  createTemplate(bot);
  list(bot);
  remove(bot);
  answers(bot);
  tryOut(bot);
}

type CreateOptions = {
  name: string;
  match: string;
  keywords?: string;
  pause?: string;
  inactive?: boolean;
  reply: string;
  templateName: string;
  templateLanguage: string;
  fields?: string;
  field?: string[];
};

function withMatchOptions(command: Command): Command {
  return command
    .argument('<tenant>')
    .requiredOption('--name <name>', 'what you call the bot')
    .requiredOption('--match <kind>', matchKinds.join(', '))
    .option('--keywords <words>', 'comma-separated; none for first_message and any')
    .option(
      '--pause <minutes>',
      'how long it does not reply to the same phone after a reply, up to 1440; by default it replies to each message',
    )
    .option('--inactive', 'create it switched off');
}

function createMessage(bot: Command): void {
  const command = withMatchOptions(bot.command('create-message')).description(
    'Create a bot that replies with a text, within 24 hours of the message.',
  );
  withServices(
    command.requiredOption(
      '--reply <text>',
      'the reply; {{firstname}}, {{message}} and other placeholders are filled in, {{firstname|friend}} has a default',
    ),
    (services, slug: string, options: CreateOptions) =>
      create(services, slug, { kind: 'message', ...matchOf(options), reply: options.reply }),
  );
}

function createTemplate(bot: Command): void {
  const command = withMatchOptions(bot.command('create-template')).description(
    'Create a bot that replies with an approved template.',
  );
  withServices(
    command
      .requiredOption('--template-name <name>', 'see `parley template list`')
      .requiredOption('--template-language <code>', 'its language')
      .option('--fields <values>', 'values of the placeholders, comma-separated')
      .option(
        '--field <value>',
        'value of the next placeholder, which may contain commas; may be repeated',
        (field: string, before: string[] = []) => [...before, field],
      ),
    (services, slug: string, options: CreateOptions) =>
      create(services, slug, {
        kind: 'template',
        ...matchOf(options),
        template_name: options.templateName,
        template_language: options.templateLanguage,
        fields: [...commaSeparated(options.fields), ...(options.field ?? [])],
      }),
  );
}

function matchOf({ name, match, keywords, pause, inactive }: CreateOptions) {
  return {
    name,
    active: !inactive,
    // Checked by createBot.
    match: match as MatchKind,
    keywords: commaSeparated(keywords),
    pause_minutes: pause === undefined ? 0 : Number(pause),
  };
}

async function create(services: Services, slug: string, bot: NewBot): Promise<Output> {
  const tenant = await tenantBySlug(services, slug);
  const created = await createBot(botServices(services), tenant.id, bot);
  return {
    json: presentBot(created),
    text: `Created bot ${created.id} (${created.name}) of ${slug}.`,
  };
}

function list(bot: Command): void {
  withServices(
    bot
      .command('list')
      .description('List the bots of a tenant, with the problem of each that cannot reply.')
      .argument('<tenant>'),
    async (services, slug: string) => {
      const tenant = await tenantBySlug(services, slug);
      const bots = await listBotsWithProblems(botServices(services), tenant.id);
      return {
        json: {
          bots: bots.map(({ bot, problem }) => ({
            ...presentBot(bot),
            problem: problem?.text ?? null,
          })),
        },
        text: table(
          ['ID', 'NAME', 'ACTIVE', 'MATCH', 'KEYWORDS', 'ANSWER', 'PROBLEM'],
          bots.map(({ bot, problem }) => [
            String(bot.id),
            bot.name,
            bot.active ? 'yes' : 'no',
            bot.match,
            bot.keywords.join(', '),
            shorten(answerOf(bot)),
            problem?.text ?? '',
          ]),
        ),
      };
    },
  );
}

function remove(bot: Command): void {
  withServices(
    bot
      .command('delete')
      .description('Delete a bot. Its replies stay in the log.')
      .argument('<tenant>')
      .argument('<id>', 'see `parley bot list`'),
    async (services, slug: string, id: string) => {
      const tenant = await tenantBySlug(services, slug);
      const botId = idFrom(id);
      if (botId === undefined || !(await deleteBot(services.db, tenant.id, botId))) {
        throw new CommandError(`${slug} has no bot ${id}. See \`parley bot list ${slug}\`.`);
      }
      return { json: { deleted: botId }, text: `Deleted bot ${id}.` };
    },
  );
}

function answers(bot: Command): void {
  withServices(
    bot
      .command('answers')
      .description('List the messages that a bot matched and their outcomes, newest first.')
      .argument('<tenant>'),
    async (services, slug: string) => {
      const tenant = await tenantBySlug(services, slug);
      const rows = await listAnswers(services.db, tenant.id, { limit: 100 });
      return {
        json: {
          answers: rows.map((row) => ({
            ...row,
            created_at: row.created_at.toISOString(),
            settled_at: row.settled_at?.toISOString() ?? null,
          })),
        },
        text: table(
          ['TIME', 'PHONE', 'MESSAGE', 'BOT', 'STATE', 'REASON'],
          rows.map((row) => [
            row.created_at.toISOString(),
            row.phone,
            shorten(String(row.inbound.text ?? '')),
            row.bot_name ?? '',
            row.state,
            row.reason ?? '',
          ]),
        ),
      };
    },
  );
}

function tryOut(bot: Command): void {
  withServices(
    bot
      .command('try')
      .description('Show which bot would reply to a message, and the reply. Sends nothing.')
      .argument('<tenant>')
      .argument('<text>', 'the inbound message')
      .option(
        '--phone <phone>',
        'phone of the contact that fills the placeholders; default: a sample contact',
      )
      .option('--first', 'treat it as the first message of the phone'),
    async (services, slug: string, text: string, options: { phone?: string; first?: boolean }) => {
      const tenant = await tenantBySlug(services, slug);
      if (options.phone !== undefined && !isPhone(options.phone)) {
        throw new CommandError(
          `--phone must be a phone with country code such as +14155550123, not ${options.phone}.`,
        );
      }
      const sender = automatedSenderOf(services);
      const trial = await tryBots(
        { ...services, numbers: createNumberFinder(services), sender },
        tenant.id,
        { text, phone: options.phone, isFirst: options.first },
      );
      return {
        json: {
          ...trial,
          bot: trial.bot && presentBot(trial.bot),
          problems: trial.problems.map(({ bot, problem }) => ({
            bot: presentBot(bot),
            problem: problem.text,
          })),
        },
        text: [
          ...trial.problems.map(({ bot, problem }) => `${bot.name} cannot reply: ${problem.text}`),
          trial.bot
            ? `${trial.bot.name} replies: ${shownText(trial.answer)}`
            : 'No bot would reply.',
        ].join('\n'),
      };
    },
  );
}

function botServices(services: Services) {
  const numbers = createNumberFinder(services);
  return { db: services.db, numbers, findTemplate: createTemplateFinder({ ...services, numbers }) };
}

function answerOf(bot: BotRow): string {
  return bot.kind === 'message' ? bot.reply : `${bot.template_name} (${bot.template_language})`;
}

function shownText(answer: object | null): string {
  const { text, body } = { ...answer } as { text?: string; body?: string };
  return text ?? body ?? '';
}

function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ');
  return line.length > 40 ? `${line.slice(0, 39)}…` : line;
}

function commaSeparated(text: string | undefined): string[] {
  return text === undefined ? [] : text.split(',').map((part) => part.trim());
}
