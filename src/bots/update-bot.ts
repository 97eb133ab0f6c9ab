import { recordChange } from '../audit/record-audit.ts';
import type { Database } from '../platform/database/database.ts';
import { notFound } from '../platform/errors/api-error.ts';
import { withTenantLock } from '../tenants/with-tenant-lock.ts';
import { type BotServices, checkBot, checkTemplate } from './check-bot.ts';
import { type BotContent, type BotRow, findBot, updateBotRow } from './queries.ts';
import type { BotChange } from './schema.ts';

/**
 * Changes the given fields of a bot. An inactive bot may have a template that cannot be sent at the moment.
 *
 * @throws ApiError 404, and the 422 errors of `createBot`
 */
export async function updateBot(
  services: BotServices & { db: Database },
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
  return await withTenantLock(db, tenantId, async (tx) => {
    const before = await findBot(tx, tenantId, id);
    const changed = await updateBotRow(tx, tenantId, id, Object.fromEntries(given));
    if (!before || !changed) throw notFound();
    await recordChange<Partial<BotContent>>(tx, tenantId, {
      action: 'bot.changed',
      subject: changed,
      before,
      after: Object.fromEntries(given),
      // A reply can be long, and the fields of a template are texts too.
      shown: ['name', 'active', 'match', 'keywords', 'pause_minutes'],
    });
    return changed;
  });
}
