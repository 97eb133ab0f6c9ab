import type pg from 'pg';

/** What a restore or an import settled, because the installation may have done it after the file was written. */
export type SettledWork = { bot_answers: number; store_events: number; requests: number };

const reason =
  'This was waiting when the restored backup was made, and may have been done since. So it was not done again.';

/**
 * Settles work that was waiting at the time of a backup and that sends messages. The installation went on after the
 * backup and probably did it, which the backup cannot know. Doing it now would send messages twice. Sends that were
 * in progress need nothing here: they become `unknown`, as after a crash. Webhook deliveries are repeated with the
 * same `webhook-id`.
 *
 * @param tenantId null for all tenants
 */
export async function settleUncertainWork(
  client: pg.ClientBase,
  tenantId: number | null = null,
): Promise<SettledWork> {
  const ofTenant = '($1::bigint is null or tenant_id = $1)';
  const answers = await client.query(
    `update bot_answers set state = 'unknown', due_at = null, settled_at = now(), reason = $2
     where ${ofTenant} and due_at is not null`,
    [tenantId, reason],
  );
  const events = await client.query(
    `update store_events set state = 'failed', due_at = null, processed_at = now(), reason = $2
     where ${ofTenant} and due_at is not null`,
    [tenantId, reason],
  );
  // A retry with the same Idempotency-Key gets `outcome_unknown` instead of a second send.
  const requests = await client.query(
    `update idempotency_keys set message_gone = true
     where ${ofTenant} and answer is null and not written`,
    [tenantId],
  );
  return {
    bot_answers: answers.rowCount ?? 0,
    store_events: events.rowCount ?? 0,
    requests: requests.rowCount ?? 0,
  };
}
