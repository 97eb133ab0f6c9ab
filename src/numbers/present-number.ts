import { type Config, publicUrl } from '../config.ts';
import { storedCode } from '../platform/errors/fault.ts';
import type { ConnectedRow } from './connecting/connect-number.ts';
import { nameOf } from './name-of.ts';
import type { NumberRow } from './queries.ts';
import { faultsNow, stateOf } from './state/number-state.ts';

/** Presents a number for the dashboard, without its secrets. */
export function presentNumber(config: Config, row: NumberRow) {
  return {
    id: row.id,
    phone_number_id: row.phone_number_id,
    business_account_id: row.business_account_id,
    display_phone_number: row.display_phone_number,
    simulator: row.simulator,
    default: row.is_default,
    marketing_endpoint: row.marketing_endpoint,
    callback_url: callbackUrl(config, row.callback_id),
    verify_token: row.verify_token,
    problem: row.problem,
    problem_says: storedCode(row.problem, row.problem_says),
    verified_name: row.verified_name,
    state: stateOf(row, config.silenceMinutes),
    faults: faultsNow(row, config.silenceMinutes),
    checked_at: row.checked_at?.toISOString() ?? null,
    token_expires_at: row.token_expires_at?.toISOString() ?? null,
    heard_at: row.heard_at?.toISOString() ?? null,
    created_at: row.created_at.toISOString(),
  };
}

/** The URL at which the network reports the delivery statuses and inbound messages of a number. */
export function callbackUrl(config: Config, callbackId: string): string {
  return `${publicUrl(config)}/whatsapp/callbacks/${callbackId}`;
}

/** The sentence that says that a number just connected is the default now; none if nothing changed. */
export function takeover({ replaced }: ConnectedRow): string[] {
  if (!replaced) return [];
  return [`Messages are now sent from it, no longer from the simulated ${nameOf(replaced)}.`];
}
