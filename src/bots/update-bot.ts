import { notFound } from '../errors.ts';
import type { Db } from '../platform/database/database.ts';
import { type BotServices, checkBot, checkTemplate } from './check-bot.ts';
import { type BotRow, findBot, updateBotRow } from './queries.ts';
import type { BotChange } from './schema.ts';

/**
 * Changes what is given of a bot. A bot that is switched off may have a template that cannot be
 * sent at the moment.
 *
 * @throws ApiError 404, and 422 as `createBot`
 */
export async function updateBot(
  services: BotServices & { db: Db },
  tenantId: number,
  id: number,
  change: BotChange,
): Promise<BotRow> {
  const { db } = services;
  const bot = await findBot(db, tenantId, id);
  if (!bot) throw notFound();
  const content = checkBot({ ...bot, ...change });
  if (content.active) await checkTemplate(services, tenantId, content);
  // Nothing else: somebody may change another part of it at the same time.
  const given = Object.entries(content).filter(([name]) => Object.hasOwn(change, name));
  const changed = await updateBotRow(db, tenantId, id, Object.fromEntries(given));
  if (!changed) throw notFound();
  return changed;
}
