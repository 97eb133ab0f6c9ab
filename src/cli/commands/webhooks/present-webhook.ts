import type { Services } from '../../../services.ts';
import { presentWebhooks } from '../../../webhooks/endpoints/present-endpoint.ts';
import type { WebhookRow } from '../../../webhooks/queries.ts';

/** Presents endpoints of one tenant for scripts. */
export async function presentForScripts(services: Services, tenantId: number, rows: WebhookRow[]) {
  const presented = await presentWebhooks(services, tenantId, rows);
  return presented.map(({ on, off_reason: reason, id, ...webhook }) => ({
    ...webhook,
    state: stateOf(on, webhook.paused_since),
    reason,
  }));
}

export type ShownWebhook = Awaited<ReturnType<typeof presentForScripts>>[number];

function stateOf(isOn: boolean, pausedSince: string | null): 'on' | 'off' | 'paused' {
  if (!isOn) return 'off';
  return pausedSince === null ? 'on' : 'paused';
}

export async function presentOne(services: Services, row: WebhookRow): Promise<ShownWebhook> {
  const [shown] = await presentForScripts(services, row.tenant_id, [row]);
  return shown!;
}

/** Describes an endpoint in lines for a person. */
export function describeWebhook(webhook: ShownWebhook): string {
  const line = (heading: string, values: string[] | null) =>
    values?.length ? [`${heading.padEnd(8)}${values.join(', ')}`] : [];
  return [
    ...line('name', webhook.name === 'default' ? null : [webhook.name]),
    `url     ${webhook.url}`,
    `state   ${webhook.state}${webhook.reason ? `: ${webhook.reason}` : ''}`,
    ...(webhook.failing_since ? [`failing since ${webhook.failing_since}`] : []),
    `events  ${webhook.events.join(', ')}`,
    ...line('numbers', webhook.numbers),
    ...line('kinds', webhook.kinds),
    ...line('causes', webhook.causes),
    ...line('ordered', webhook.ordered ? ['by conversation'] : null),
    ...line('gather', webhook.gather_seconds === null ? null : [`${webhook.gather_seconds} s`]),
    ...line('headers', webhook.header_names),
  ].join('\n');
}
