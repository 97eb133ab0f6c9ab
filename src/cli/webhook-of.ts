import type { Services } from '../services.ts';
import { findWebhook, type WebhookRow } from '../webhooks/queries.ts';
import { CommandError, tenantBySlug } from './command.ts';

export async function webhookOf(services: Services, slug: string): Promise<WebhookRow> {
  const tenant = await tenantBySlug(services, slug);
  const webhook = await findWebhook(services.db, tenant.id);
  if (!webhook) {
    throw new CommandError(`${slug} has no webhook. Set one: parley webhook set ${slug} --url U`);
  }
  return webhook;
}
