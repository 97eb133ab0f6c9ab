import type { Command } from 'commander';
import { addEndpoint } from '../../../webhooks/endpoints/add-endpoint.ts';
import { removeEndpoint } from '../../../webhooks/endpoints/remove-endpoint.ts';
import { listWebhooks } from '../../../webhooks/queries.ts';
import { table, tenantBySlug, withServices } from '../../command.ts';
import { describeWebhook, presentForScripts, presentOne } from './present-webhook.ts';
import { endpointOf, webhookOf } from './webhook-of.ts';
import { readSettings, type SettingOptions, settingOptions } from './webhook-settings.ts';

/** Adds `add`, `list` and `remove` to `parley webhook`. */
export function endpointCommands(webhook: Command): void {
  withServices(
    settingOptions(
      webhook
        .command('add')
        .description('Add an endpoint: a further URL with its own events, secret and log.')
        .argument('<tenant>')
        .requiredOption('--name <name>', 'the name for --endpoint'),
    ),
    async (services, slug: string, options: SettingOptions & { name: string }) => {
      const tenant = await tenantBySlug(services, slug);
      const { webhook: added, secret } = await addEndpoint(services, tenant.id, {
        ...(await readSettings(options)),
        name: options.name,
      });
      const shown = await presentOne(services, added);
      return {
        json: { webhook: shown, ...shown, secret },
        text: `${describeWebhook(shown)}\nsecret  ${secret}\nThe receiver needs the secret to check signatures. No other command shows it.`,
      };
    },
  );

  withServices(
    webhook.command('list').description('List the endpoints.').argument('<tenant>'),
    async (services, slug: string) => {
      const { id: tenantId } = await tenantBySlug(services, slug);
      const rows = await listWebhooks(services.db, tenantId);
      const webhooks = await presentForScripts(services, tenantId, rows);
      return {
        json: { webhooks },
        text: table(
          ['NAME', 'STATE', 'URL', 'EVENTS', 'REASON'],
          webhooks.map(({ name, state, url, events, reason, failing_since: since }) => [
            name,
            state,
            url,
            events.join(', '),
            reason ?? (since ? `failing since ${since}` : ''),
          ]),
        ),
      };
    },
  );

  withServices(
    webhook
      .command('remove')
      .description('Remove an endpoint with its log. Events that wait for it are not sent.')
      .argument('<tenant>')
      .argument('<name>'),
    async (services, slug: string, name: string) => {
      const row = await webhookOf(services, slug, { endpoint: name });
      await removeEndpoint(services, endpointOf(row));
      return { json: { removed: row.name }, text: `${row.name} is removed.` };
    },
  );
}
