import { type Config, publicUrl } from '../config.ts';
import type { NumberRow } from './queries.ts';

/** Presents a number for the dashboard, without its secrets. */
export function presentNumber(config: Config, row: NumberRow) {
  return {
    id: row.id,
    phone_number_id: row.phone_number_id,
    business_account_id: row.business_account_id,
    display_phone_number: row.display_phone_number,
    simulator: row.simulator,
    callback_url: callbackUrl(config, row.callback_id),
    verify_token: row.verify_token,
    problem: row.problem,
    created_at: row.created_at.toISOString(),
  };
}

/** The URL at which the network reports the delivery statuses and inbound messages of a number. */
export function callbackUrl(config: Config, callbackId: string): string {
  return `${publicUrl(config)}/whatsapp/callbacks/${callbackId}`;
}
