import type { Db } from '../platform/database/database.ts';
import { notFound } from '../platform/errors/api-error.ts';
import { type BotServices, checkBot, checkTemplate } from './check-bot.ts';
import { type BotRow, findBot, updateBotRow } from './queries.ts';
import type { BotChange } from './schema.ts';

/**
 * Changes the given fields of a bot. An inactive bot may have a template that cannot be sent at the moment.
 *
 * @throws ApiError 404, and the 422 errors of `createBot`
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
  // Writes only the given fields, because another member may change the others at the same time.
  const given = Object.entries(content).filter(([name]) => Object.hasOwn(change, name));
  const changed = await updateBotRow(db, tenantId, id, Object.fromEntries(given));
  if (!changed) throw notFound();
  return changed;
}
