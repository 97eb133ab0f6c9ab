import { ApiError } from '../errors.ts';
import type { Db } from '../platform/database.ts';
import { type BotServices, checkTemplate } from './check-bot.ts';
import { type BotRow, listBots } from './queries.ts';

/** Every bot of a tenant, with what keeps it from answering at the moment. */
export async function listBotsWithProblems(
  services: BotServices & { db: Db },
  tenantId: number,
): Promise<{ bot: BotRow; problem: string | null }[]> {
  const bots = await listBots(services.db, tenantId);
  return Promise.all(bots.map(async (bot) => ({ bot, problem: await problemOf(bot) })));

  async function problemOf(bot: BotRow): Promise<string | null> {
    if (bot.kind === 'message') return null;
    try {
      await checkTemplate(services, tenantId, { ...bot, reply: null });
      return null;
    } catch (error) {
      if (error instanceof ApiError && error.status < 500) return error.message;
      throw error;
    }
  }
}
