import { Type } from 'typebox';
import type { NumberFinder } from '../numbers/find-number.ts';
import { matchesName, NumberName } from '../numbers/number-name.ts';
import { invalid } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { SuccessResponse } from '../platform/http/response-schema.ts';
import { success } from '../platform/http/success.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import type { TemplateComponent } from './components.ts';
import { listTemplates } from './queries.ts';
import { readSlots, type Slot } from './read-slots.ts';
import { Template } from './schema.ts';

const TemplatesQuery = Type.Object({ number: NumberName }, { additionalProperties: false });

/**
 * GET templates: the approved templates of the account of the default number, or of the one that `number` names
 * (docs/spec.md, section 4.4).
 */
export function templateRoutes(api: TenantApi, { numbers }: { numbers: NumberFinder }): void {
  api.get(
    '/templates',
    {
      config: { ability: 'templates:read', limitConcurrency: true },
      schema: {
        operationId: 'listTemplates',
        tags: ['Templates'],
        summary: 'List approved templates',
        description:
          'Templates are written and approved in your account with the network. If you have numbers in several accounts, `number` chooses the account; without it, the list is that of your default number.',
        querystring: TemplatesQuery,
        response: {
          200: SuccessResponse('The approved templates of the account.', Type.Array(Template)),
        },
      },
    },
    async (request) => {
      const { tenantId } = request.caller;
      const { number: name } = request.query;
      const number = (await numbers.senders(tenantId)).find((each) => matchesName(each, name));
      if (name !== undefined && !number) throw invalid({ number: [notConnected] });
      const approved = number
        ? await listTemplates(request.db, tenantId, number.businessAccountId, 'APPROVED')
        : [];
      return success({
        data: approved.map((template) => ({
          id: template.id,
          name: template.name,
          language: template.language,
          status: template.status,
          category: template.category,
          components: template.components.map(withText),
          fields: readSlots(template).map(presentSlot),
        })),
      });
    },
  );
}

const notConnected = fault('not_connected_number', 'is not a connected number of this tenant');

/** Each component has a text in the contract. The network leaves it out of headers with a file, buttons and others. */
function withText(component: TemplateComponent): TemplateComponent & { text: string } {
  return { ...component, text: typeof component.text === 'string' ? component.text : '' };
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
