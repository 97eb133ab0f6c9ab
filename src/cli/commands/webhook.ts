import { setTimeout as pause } from 'node:timers/promises';
import type { Command } from 'commander';
import type { Services } from '../../services.ts';
import { listDeliveries } from '../../webhooks/log/delivery-log-queries.ts';
import { presentDeliveries } from '../../webhooks/log/present-deliveries.ts';
import { switchWebhookOff, type WebhookRow } from '../../webhooks/queries.ts';
import { describeQuota, presentQuota } from '../../webhooks/quota/present-quota.ts';
import { quotaOf } from '../../webhooks/quota/quota.ts';
import { findQuota } from '../../webhooks/quota/quota-queries.ts';
import { eventSelectors, eventTypes, selectorsOf } from '../../webhooks/schema.ts';
import { rotateSecret } from '../../webhooks/secrets/rotate-secret.ts';
import { sendTestEvent } from '../../webhooks/send-test-event.ts';
import { setWebhook } from '../../webhooks/set-webhook.ts';
import { tenantBySlug, withServices } from '../command.ts';
import { webhookOf } from '../webhook-of.ts';
import { deliveryCommands } from './webhook-deliveries.ts';

export function webhookCommands(program: Command): void {
  const webhook = program
    .command('webhook')
    .description('Send events to a tenant’s own server, and see the deliveries.');

  withServices(
    webhook
      .command('set')
      .description('Set the URL for events, and switch the webhook on.')
      .argument('<tenant>')
      .requiredOption(
        '--url <url>',
        'an https:// address; http:// only to an allowed private network',
      )
      .option(
        '--events <list>',
        `comma-separated, by name or family; default: unchanged, or these for a new webhook: ${eventTypes.join(', ')}. Further ones: ${eventSelectors.slice(eventTypes.length).join(', ')}`,
      ),
    async (services, slug: string, options: { url: string; events?: string }) => {
      const tenant = await tenantBySlug(services, slug);
      const { webhook, secret } = await setWebhook(services, tenant.id, {
        url: options.url,
        events: options.events?.split(',').map((event) => event.trim()),
      });
      const shown = presentWebhook(webhook);
      return {
        json: { webhook: shown, ...shown, secret },
        text: `${describe(shown)}\nsecret  ${secret}\nThe receiver needs the secret to check signatures. No other command shows it.`,
      };
    },
  );

  withServices(
    webhook.command('show').description('Show the webhook.').argument('<tenant>'),
    async (services, slug: string) => {
      const row = await webhookOf(services, slug);
      const shown = presentWebhook(row);
      const limits = quotaOf(services.config);
      const found = await findQuota(services.db, row.tenant_id);
      const full = found && describeQuota(found, limits);
      return {
        json: { webhook: shown, ...shown, quota: presentQuota(found, limits) },
        text: full ? `${describe(shown)}\nquota   ${full}` : describe(shown),
      };
    },
  );

  withServices(
    webhook
      .command('off')
      .description('Stop recording and sending events; `set` switches it on again.')
      .argument('<tenant>'),
    async (services, slug: string) => {
      const { tenant_id: tenantId } = await webhookOf(services, slug);
      const off = await switchWebhookOff(services.db, tenantId, 'Switched off by hand.');
      const shown = presentWebhook(off!);
      return { json: { webhook: shown, ...shown }, text: describe(shown) };
    },
  );

  withServices(
    webhook
      .command('rotate-secret')
      .description('Create a new secret. For 24 hours, the previous one signs as well.')
      .argument('<tenant>'),
    async (services, slug: string) => {
      const { tenant_id: tenantId } = await webhookOf(services, slug);
      const { webhook, secret } = await rotateSecret(services, tenantId);
      const shown = presentWebhook(webhook);
      return {
        json: { webhook: shown, ...shown, secret },
        text: `secret  ${secret}\nThe previous secret also signs until ${shown.previous_secret_until}.`,
      };
    },
  );

  deliveryCommands(webhook);

  withServices(
    webhook
      .command('test')
      .description(
        'Send a test event and wait for the response. The service must be running. Fails unless the event is delivered.',
      )
      .argument('<tenant>'),
    async (services, slug: string) => {
      const { tenant_id: tenantId } = await webhookOf(services, slug);
      const id = await sendTestEvent(services, tenantId);
      const delivery = await outcomeOf(services, tenantId, id);
      const attempt = delivery.attempts.at(-1);
      const json = { delivery, ...delivery };
      if (delivery.state !== 'delivered') {
        const failure = delivery.reason
          ? `Not delivered: ${delivery.reason}`
          : `No response yet. If the service is running, see \`parley webhook deliveries ${slug} --id ${id}\`.`;
        return { json, text: '', failure };
      }
      const { status, duration_ms: ms } = attempt!;
      return { json, text: `Delivered: the receiver responded with ${status} after ${ms} ms.` };
    },
  );
}

function presentWebhook(row: WebhookRow) {
  return {
    url: row.url,
    events: selectorsOf(row.events),
    state: row.off_since ? 'off' : 'on',
    reason: row.off_reason,
    off_since: row.off_since?.toISOString() ?? null,
    failing_since: row.failing_since?.toISOString() ?? null,
    previous_secret_until: row.previous_secret_until?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

function describe(webhook: ReturnType<typeof presentWebhook>): string {
  return [
    `url     ${webhook.url}`,
    `state   ${webhook.state}${webhook.reason ? `: ${webhook.reason}` : ''}`,
    ...(webhook.failing_since ? [`failing since ${webhook.failing_since}`] : []),
    `events  ${webhook.events.join(', ')}`,
  ].join('\n');
}

/** Returns the delivery after its first attempt, or as it is if that takes too long. */
async function outcomeOf(services: Services, tenantId: number, id: number) {
  for (let waitedMs = 0; ; waitedMs += 100) {
    const found = await listDeliveries(services.db, tenantId, { id }, 1);
    const [delivery] = await presentDeliveries(services.db, tenantId, found);
    if (delivery!.state !== 'waiting' || waitedMs >= services.config.webhookTimeoutMs) {
      return delivery!;
    }
    await pause(100);
  }
}
