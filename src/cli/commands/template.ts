import type { Command } from 'commander';
import { listNumbers } from '../../numbers/queries.ts';
import { listTemplates } from '../../templates/queries.ts';
import { findSync } from '../../templates/syncing/sync-queries.ts';
import { syncTemplates } from '../../templates/syncing/sync-templates.ts';
import { table, tenantBySlug, withServices } from '../command.ts';
import { startProgress } from '../progress.ts';

export function templateCommands(program: Command): void {
  const template = program.command('template').description('Fetch and list message templates.');

  withServices(
    template
      .command('sync')
      .description('Fetch the templates of a tenant from the network now.')
      .argument('<tenant>'),
    async (services, slug: string, options: { json?: boolean }) => {
      const tenant = await tenantBySlug(services, slug);
      const progress = options.json ? undefined : startProgress(undefined, 'templates');
      const { templates, approved } = await syncTemplates(services, tenant.id, {
        onTemplates: (count) => progress?.update(count),
      }).finally(() => progress?.stop());
      return {
        json: { synced: templates, approved },
        text: `The network has ${templates} templates of ${slug}; ${approved} are approved.`,
      };
    },
  );

  withServices(
    template
      .command('list')
      .description('List the templates of a tenant in every state.')
      .argument('<tenant>'),
    async (services, slug: string) => {
      const tenant = await tenantBySlug(services, slug);
      const numbers = await listNumbers(services.db, tenant.id);
      const accounts = [...new Set(numbers.map((number) => number.business_account_id))];
      const templates = [];
      for (const account of accounts) {
        templates.push(...(await listTemplates(services.db, tenant.id, account)));
      }
      const sync = await findSync(services.db, tenant.id);
      return {
        json: {
          templates,
          synced_at: sync?.synced_at?.toISOString() ?? null,
          problem: sync?.problem ?? null,
        },
        text: [
          table(
            ['NAME', 'LANGUAGE', 'STATUS', 'CATEGORY', 'REJECTED FOR'],
            templates.map((each) => [
              each.name,
              each.language,
              each.status,
              each.category,
              each.rejected_reason ?? '',
            ]),
          ),
          `Synced: ${sync?.synced_at?.toISOString() ?? 'never'}`,
          ...(sync?.problem ? [`Problem: ${sync.problem}`] : []),
        ].join('\n'),
      };
    },
  );
}
