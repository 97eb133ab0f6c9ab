import type { Db } from '../platform/database/database.ts';
import { codedProblemOf } from '../platform/errors/api-error.ts';
import type { Fault } from '../platform/errors/fault.ts';
import { type BotServices, checkTemplate } from './check-bot.ts';
import { type BotRow, listBots } from './queries.ts';

/** Lists the bots of a tenant, with the reason why a bot cannot answer at the moment. */
export async function listBotsWithProblems(
  services: BotServices & { db: Db },
  tenantId: number,
): Promise<{ bot: BotRow; problem: Fault | null }[]> {
  const bots = await listBots(services.db, tenantId);
  const withProblem = async (bot: BotRow) => ({
    bot,
    problem: await checkTemplate(services, tenantId, bot).then(() => null, codedProblemOf),
  });
  return Promise.all(bots.map(withProblem));
}
