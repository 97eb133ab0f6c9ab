import { Type } from 'typebox';
import type { NumberFinder } from '../numbers/find-number.ts';
import { NoQuery } from '../platform/http/no-query.ts';
import { SuccessResponse } from '../platform/http/response-schema.ts';
import type { TenantApi } from '../tenants/tenant-api.ts';
import { listTemplates } from './queries.ts';
import { readSlots, type Slot } from './read-slots.ts';
import { Template } from './schema.ts';

/** GET templates: the approved templates of the sending account (docs/spec.md, section 4.4). */
export function templateRoutes(api: TenantApi, { numbers }: { numbers: NumberFinder }): void {
  api.get(
    '/templates',
    {
      config: { ability: 'templates:read', limitConcurrency: true },
      schema: {
        operationId: 'listTemplates',
        tags: ['Templates'],
        summary: 'List approved templates',
        description: 'Templates are written and approved in your account with the network.',
        querystring: NoQuery,
        response: {
          200: SuccessResponse('The approved templates of the account.', Type.Array(Template)),
        },
      },
    },
    async (request) => {
      const { tenantId } = request.caller;
      const number = await numbers.defaultNumber(tenantId);
      const approved = number
        ? await listTemplates(request.db, tenantId, number.businessAccountId, 'APPROVED')
        : [];
      return {
        success: true as const,
        data: approved.map((template) => ({
          id: template.id,
          name: template.name,
          language: template.language,
          status: template.status,
          category: template.category,
          components: template.components,
          fields: readSlots(template).map(presentSlot),
        })),
      };
    },
  );
}

function presentSlot({ place, placeholder, fields: [first, other], button }: Slot) {
  return {
    name: `field_${first}`,
    place,
    placeholder,
    ...(button && { button: button.index }),
    ...(other !== undefined && { or: `field_${other}` }),
  };
}
