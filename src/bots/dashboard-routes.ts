import { findPeople } from '../contacts/searching/find-people.ts';
import type { AutomatedSender } from '../messages/sending/automated/send-automated.ts';
import type { NumberFinder } from '../numbers/find-number.ts';
import type { Database } from '../platform/database/database.ts';
import { notFound } from '../platform/errors/api-error.ts';
import { codeOf, storedCode } from '../platform/errors/fault.ts';
import { success } from '../platform/http/success.ts';
import { idFrom } from '../platform/values/id.ts';
import type { TemplateFinder } from '../templates/find-sendable-template.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import { type AnswerRow, listAnswers } from './answering/answer-log-queries.ts';
import { createBot } from './create-bot.ts';
import {
  Answers,
  AnswersQuery,
  BotDone,
  Bots,
  CreateBot,
  OneBot,
  TriedBots,
  TryBots,
} from './dashboard-schema.ts';
import { deleteBot } from './delete-bot.ts';
import { listBotsWithProblems } from './list-bots-with-problems.ts';
import { presentBot } from './present-bot.ts';
import { BotChange } from './schema.ts';
import { tryBots } from './try-bots.ts';
import { updateBot } from './update-bot.ts';

const answersPerPage = 30;

/** Registers the routes that list, create, change and test bots and show their answers. */
export function botDashboardRoutes(
  api: TenantApi,
  services: {
    db: Database;
    numbers: NumberFinder;
    findTemplate: TemplateFinder;
    sender: AutomatedSender;
  },
): void {
  const { db } = services;

  api.get(
    '/bots',
    { config: { limitConcurrency: true }, schema: { response: { 200: Bots } } },
    async ({ db: reads, member }) =>
      success({
        data: (await listBotsWithProblems({ ...services, db: reads }, member.tenantId)).map(
          ({ bot, problem }) => ({
            ...presentBot(bot),
            problem: problem?.text ?? null,
            problem_says: problem && codeOf(problem),
          }),
        ),
      }),
  );

  api.post(
    '/bots',
    { schema: { body: CreateBot, response: { 200: OneBot } } },
    async ({ member, body }) => {
      const bot = await createBot(services, member.tenantId, body);
      return success({ data: presentBot(bot) });
    },
  );

  api.put(
    '/bots/:id',
    { schema: { body: BotChange, response: { 200: OneBot } } },
    async ({ member, params, body }) => {
      const bot = await updateBot(services, member.tenantId, idFrom(params), body);
      return success({ data: presentBot(bot) });
    },
  );

  api.delete(
    '/bots/:id',
    { schema: { response: { 200: BotDone } } },
    async ({ member, params }) => {
      const id = idFrom(params);
      if (!(await deleteBot(db, member.tenantId, id))) throw notFound();
      return success({ data: { id } });
    },
  );

  api.post(
    '/bots/try',
    { schema: { body: TryBots, response: { 200: TriedBots } } },
    async ({ member, body: { text, is_first: isFirst } }) => {
      const { bot, keyword, answer, problems } = await tryBots(services, member.tenantId, {
        text,
        isFirst,
      });
      return success({
        data: {
          bot: bot?.name ?? null,
          keyword,
          answer,
          problems: problems.map(({ bot, problem }) => ({
            bot: bot.name,
            problem: problem.text,
            problem_says: codeOf(problem),
          })),
        },
      });
    },
  );

  api.get(
    '/bots/answers',
    {
      config: { limitConcurrency: true },
      schema: { querystring: AnswersQuery, response: { 200: Answers } },
    },
    async ({ db: reads, member, query: { before } }) => {
      const found = await listAnswers(reads, member.tenantId, { before, limit: answersPerPage });
      const people = await findPeople(
        reads,
        member.tenantId,
        found.map(({ phone }) => phone),
      );
      return success({
        data: {
          answers: found.map((row) => presentAnswer(row, people.get(row.phone)?.name)),
          more: found.length === answersPerPage,
        },
      });
    },
  );
}

function presentAnswer({ inbound, created_at, ...row }: AnswerRow, name: string | undefined) {
  return {
    inbound_id: row.inbound_id,
    phone: row.phone,
    name: name || null,
    text: typeof inbound.text === 'string' ? inbound.text : '',
    state: row.state,
    reason: row.reason,
    reason_says: storedCode(row.reason, row.reason_says),
    bot_name: row.bot_name,
    created_at: created_at.toISOString(),
  };
}
