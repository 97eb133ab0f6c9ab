import { recordAudit } from '../audit/record-audit.ts';
import type { Database } from '../platform/database/database.ts';
import { noRoom } from '../platform/errors/api-error.ts';
import { withTenantLock } from '../tenants/with-tenant-lock.ts';
import { type BotServices, checkBot, checkTemplate } from './check-bot.ts';
import { type BotRow, insertBot } from './queries.ts';
import type { GivenBot } from './schema.ts';

/** Per tenant, because each inbound message is compared with all of its bots. */
const maxBots = 200;

/**
 * Creates a bot.
 *
 * @throws ApiError 422 on the fields of the bot; `field_N` for a placeholder of the template
 */
export async function createBot(
  services: BotServices & { db: Database },
  tenantId: number,
  bot: GivenBot,
): Promise<BotRow> {
  const content = checkBot(bot);
  await checkTemplate(services, tenantId, content);
  const created = await withTenantLock(services.db, tenantId, async (tx) => {
    const inserted = await insertBot(tx, tenantId, content, maxBots);
    if (inserted) await recordAudit(tx, tenantId, { action: 'bot.created', subject: inserted });
    return inserted;
  });
  if (!created) throw noRoom('name', maxBots, 'bots');
  return created;
}
