import type { Services } from '../../../services.ts';
import type { Endpoint } from '../../../webhooks/endpoint-key.ts';
import { findWebhookByName, type WebhookRow } from '../../../webhooks/queries.ts';
import { CommandError, tenantBySlug } from '../../command.ts';

/** The name of the endpoint that commands mean without `--endpoint`. */
const defaultName = 'default';

export type EndpointOption = { endpoint?: string };

/** Finds the endpoint that `--endpoint` names, or the default one. */
export async function webhookOf(
  services: Services,
  slug: string,
  { endpoint: name = defaultName }: EndpointOption,
): Promise<WebhookRow> {
  const tenant = await tenantBySlug(services, slug);
  const webhook = await findWebhookByName(services.db, tenant.id, name);
  if (webhook) return webhook;
  throw new CommandError(
    name.toLowerCase() === defaultName
      ? `${slug} has no webhook. Set one: parley webhook set ${slug} --url U`
      : `${slug} has no webhook endpoint "${name}". See \`parley webhook list ${slug}\`.`,
  );
}

export function endpointOf({ tenant_id, id }: WebhookRow): Endpoint {
  return { tenantId: tenant_id, webhookId: id };
}
