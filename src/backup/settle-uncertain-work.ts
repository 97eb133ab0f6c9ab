import type pg from 'pg';

/** What a restore settled, because the installation may have done it after the backup. */
export type SettledWork = { bot_answers: number; store_events: number; requests: number };

const reason =
  'This was waiting when the backup was made that was restored. It may have been done since, so it was not done again.';

/**
 * Settles work that was waiting at the time of a backup and that sends messages. The installation went on after the
 * backup and probably did it, which the backup cannot know. Doing it now would send messages twice. Sends that were
 * in progress need nothing here: they become `unknown`, as after a crash. Webhook deliveries are repeated with the
 * same `webhook-id`.
 */
export async function settleUncertainWork(client: pg.ClientBase): Promise<SettledWork> {
  const answers = await client.query(
    `update bot_answers set state = 'unknown', due_at = null, settled_at = now(), reason = $1
     where due_at is not null`,
    [reason],
  );
  const events = await client.query(
    `update store_events set state = 'failed', due_at = null, processed_at = now(), reason = $1
     where due_at is not null`,
    [reason],
  );
  // A retry with the same Idempotency-Key gets `outcome_unknown` instead of a second send.
  const requests = await client.query(
    'update idempotency_keys set message_gone = true where answer is null and not written',
  );
  return {
    bot_answers: answers.rowCount ?? 0,
    store_events: events.rowCount ?? 0,
    requests: requests.rowCount ?? 0,
  };
}
