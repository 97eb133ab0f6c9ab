import type { NumberFinder } from '../numbers/find-number.ts';
import { codeOf, fault, storedCode } from '../platform/errors/fault.ts';
import { success } from '../platform/http/success.ts';
import type { Services } from '../services.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import { headerFormat } from './components.ts';
import { SyncedTemplates, TemplateOverview, TemplateQuery } from './dashboard-schema.ts';
import { listTemplates } from './queries.ts';
import { readSlots, unsupportedPart } from './read-slots.ts';
import { findSync } from './syncing/sync-queries.ts';
import { syncTemplates } from './syncing/sync-templates.ts';

/** Adds the routes for all templates of a number's account, in any status; by default of the default number. */
export function templateDashboardRoutes(
  api: TenantApi,
  services: Services & { numbers: NumberFinder },
): void {
  const { numbers } = services;

  api.get(
    '/template-overview',
    {
      config: { limitConcurrency: true },
      schema: { querystring: TemplateQuery, response: { 200: TemplateOverview } },
    },
    async ({ db, member, query: { number: id } }) => {
      const [senders, sync] = await Promise.all([
        numbers.senders(member.tenantId),
        findSync(db, member.tenantId),
      ]);
      const number = id === undefined ? senders[0] : senders.find((each) => each.id === id);
      const templates = number
        ? await listTemplates(db, member.tenantId, number.businessAccountId)
        : [];
      return success({
        data: {
          synced_at: sync?.synced_at?.toISOString() ?? null,
          problem: sync?.problem ?? null,
          problem_says: storedCode(sync?.problem ?? null, sync?.problem_says),
          templates: templates.map((template) => ({
            id: template.id,
            name: template.name,
            language: template.language,
            status: template.status,
            category: template.category,
            rejected_reason: template.rejected_reason,
            components: template.components,
            slots: readSlots(template),
            header_format: headerFormat(template) ?? null,
            ...presentPart(unsupportedPart(template)),
          })),
        },
      });
    },
  );

  api.post(
    '/template-overview/sync',
    { config: { limitConcurrency: false }, schema: { response: { 200: SyncedTemplates } } },
    async ({ member }) => success({ data: await syncTemplates(services, member.tenantId) }),
  );
}

function presentPart(unsupported: ReturnType<typeof unsupportedPart>) {
  if (!unsupported) return { cannot_send: null, cannot_send_says: null };
  const { part, kind } = unsupported;
  const reason = fault('unfillable_part', 'It has {part}, which cannot be filled.', { part, kind });
  return { cannot_send: part, cannot_send_says: codeOf(reason) };
}
