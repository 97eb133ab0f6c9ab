import type { AuditAction } from '../../audit/actions.ts';
import { recordAudit, recordChange } from '../../audit/record-audit.ts';
import type { Db } from '../../platform/database/database.ts';
import type { WebhookRow } from '../queries.ts';
import { selectorsOf } from '../schema.ts';

/** Records what happened to an endpoint, in the transaction of the change. */
export async function recordEndpoint(
  tx: Db,
  action: Extract<AuditAction, `webhook.${string}`>,
  webhook: WebhookRow,
): Promise<void> {
  const { host, events } = settingsOf(webhook);
  const chosen = [
    { field: 'host', after: host },
    { field: 'events', after: events },
  ];
  await recordAudit(tx, webhook.tenant_id, {
    action,
    subject: webhook,
    changes: action === 'webhook.created' ? chosen : [],
  });
}

/** Records which settings of an endpoint changed, in the transaction of the change. */
export async function recordEndpointChange(
  tx: Db,
  before: WebhookRow,
  after: WebhookRow,
): Promise<void> {
  await recordChange(tx, after.tenant_id, {
    action: 'webhook.changed',
    subject: after,
    before: settingsOf(before),
    after: settingsOf(after),
    // The path of a URL and a header can have a secret.
    shown: [
      'name',
      'host',
      'on',
      'events',
      'number_ids',
      'kinds',
      'causes',
      'ordered',
      'gather_seconds',
    ],
  });
}

function settingsOf({ off_since: offSince, events, url, ...webhook }: WebhookRow) {
  const { name, number_ids, kinds, causes, ordered, gather_seconds, headers } = webhook;
  return {
    name,
    host: new URL(url).host,
    url,
    on: offSince === null,
    events: selectorsOf(events) as string[],
    number_ids,
    kinds,
    causes,
    ordered,
    gather_seconds,
    headers,
  };
}
