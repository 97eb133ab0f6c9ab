import { Type } from 'typebox';
import { NoQuery } from '../platform/http/no-query.ts';
import { SuccessResponse } from '../platform/http/response-schema.ts';
import { success } from '../platform/http/success.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import { presentMessageBot, presentTemplateBot } from './present-bot.ts';
import { listBots } from './queries.ts';
import { MessageBot, TemplateBot } from './schema.ts';

const tags = ['Bots'];
const allBots = 'All bots of this kind, including the inactive ones.';

/** Registers GET message-bots and template-bots, which include inactive bots (docs/spec.md, section 4.5). */
export function botRoutes(api: TenantApi): void {
  api.get(
    '/message-bots',
    {
      config: { ability: 'message-bots:read', limitConcurrency: true },
      schema: {
        operationId: 'listMessageBots',
        tags,
        summary: 'List message bots and their keywords',
        description: 'A message bot replies to an inbound message with a text.',
        querystring: NoQuery,
        response: { 200: SuccessResponse(allBots, Type.Array(MessageBot)) },
      },
    },
    async ({ db, caller }) =>
      success({ data: (await listBots(db, caller.tenantId, 'message')).map(presentMessageBot) }),
  );

  api.get(
    '/template-bots',
    {
      config: { ability: 'template-bots:read', limitConcurrency: true },
      schema: {
        operationId: 'listTemplateBots',
        tags,
        summary: 'List template bots and their templates',
        description: 'A template bot replies to an inbound message with a template.',
        querystring: NoQuery,
        response: { 200: SuccessResponse(allBots, Type.Array(TemplateBot)) },
      },
    },
    async ({ db, caller }) =>
      success({ data: (await listBots(db, caller.tenantId, 'template')).map(presentTemplateBot) }),
  );
}
