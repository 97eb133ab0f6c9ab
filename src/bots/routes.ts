import type { Database } from '../platform/database/database.ts';
import { NoQuery } from '../platform/http/no-query.ts';
import type { TenantApi } from '../tenants/tenant-api.ts';
import { presentMessageBot, presentTemplateBot } from './present-bot.ts';
import { listBots } from './queries.ts';
import { MessageBots, TemplateBots } from './schema.ts';

/** GET message-bots and template-bots: all of them, the inactive ones too (spec, section 4.5). */
export function botRoutes(api: TenantApi, { db }: { db: Database }): void {
  api.get(
    '/message-bots',
    {
      config: { ability: 'message-bots:read', inTurn: true },
      schema: { querystring: NoQuery, response: { 200: MessageBots } },
    },
    async ({ caller }) => ({
      success: true as const,
      data: (await listBots(db, caller.tenantId, 'message')).map(presentMessageBot),
    }),
  );

  api.get(
    '/template-bots',
    {
      config: { ability: 'template-bots:read', inTurn: true },
      schema: { querystring: NoQuery, response: { 200: TemplateBots } },
    },
    async ({ caller }) => ({
      success: true as const,
      data: (await listBots(db, caller.tenantId, 'template')).map(presentTemplateBot),
    }),
  );
}
