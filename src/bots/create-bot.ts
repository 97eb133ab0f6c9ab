import { noRoom } from '../errors.ts';
import type { Database } from '../platform/database/database.ts';
import { withTenantLock } from '../tenants/with-tenant-lock.ts';
import { type BotServices, checkBot, checkTemplate } from './check-bot.ts';
import { type BotRow, insertBot } from './queries.ts';
import type { GivenBot } from './schema.ts';

/** Each inbound message is held against all bots of its tenant. */
const mostBots = 200;

/**
 * Creates a bot, which answers from now on.
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
  const made = await withTenantLock(services.db, tenantId, (tx) =>
    insertBot(tx, tenantId, content, mostBots),
  );
  if (!made) throw noRoom('name', mostBots, 'bots');
  return made;
}
