/** One thing that must be right for a number to work, as it was found, and what to do if it is not. */
export type Check = { name: CheckName; ok: boolean; found: string; fix?: string };

/**
 * - network: the network responds
 * - token: the access token is valid and may do what is needed
 * - number: the token can see the number, which is of the account
 * - registration: the number is registered
 * - health: the network lets the number, its account and its business send
 * - app_secret: it is that of the token's app, so that callbacks can be verified
 * - address: the network can reach this service
 * - callbacks: the messages of the account are reported to this service
 * - held_callbacks: another program has them
 * - fields: the app reports messages at all
 * - silence: something was heard since the number sent
 */
export type CheckName =
  | 'network'
  | 'token'
  | 'number'
  | 'registration'
  | 'health'
  | 'app_secret'
  | 'address'
  | 'callbacks'
  | 'held_callbacks'
  | 'fields'
  | 'silence';

/** A check that found a problem. */
export type NumberFault = { name: CheckName; found: string; fix: string };

export function passed(name: CheckName, found: string): Check {
  return { name, ok: true, found };
}

export function failed(name: CheckName, found: string, fix: string): Check {
  return { name, ok: false, found, fix };
}

export function faultsOf(checks: Check[]): NumberFault[] {
  return checks.flatMap(({ name, ok, found, fix = '' }) => (ok ? [] : [{ name, found, fix }]));
}
