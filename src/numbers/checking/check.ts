import { type Code, codeOf, type Fault } from '../../platform/errors/fault.ts';

/** The codes of what was found and of what to do. Faults that an earlier release stored have none. */
type Codes = { found_says?: Code; fix_says?: Code };

/** One thing that must be right for a number to work, as it was found, and what to do if it is not. */
export type Check = {
  name: CheckName;
  ok: boolean;
  found: string;
  fix?: string;
  /** When a token that is valid ends, in ISO 8601. */
  expires_at?: string;
} & Codes;

/**
 * - network: the network responds
 * - token: the access token is valid and may do what is needed
 * - number: the token can see the number, which is of the account
 * - registration: the number is registered
 * - health: the network lets the number, its account and its business send
 * - app_secret: it is that of the token's app, so that callbacks can be verified
 * - address: the network can reach this service
 * - callbacks: the messages of the number are reported to this service
 * - held_callbacks: another program has them
 * - fields: the app reports messages at all
 * - silence: something was heard since the number sent
 * - failures: no message failed for a reason that concerns the number, since the last one that was delivered
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
  | 'silence'
  | 'failures';

/** A check that found a problem. `at` is the time of the last of the `failures`. */
export type NumberFault = { name: CheckName; found: string; fix: string; at?: string } & Codes;

export function passed(name: CheckName, found: Fault): Check {
  return { name, ok: true, found: found.text, found_says: codeOf(found) };
}

export function failed(name: CheckName, found: Fault, fix: Fault): Check {
  return { ...faulty(name, found, fix), ok: false };
}

export function faulty(name: CheckName, found: Fault, fix: Fault): NumberFault {
  const says = { found_says: codeOf(found), fix_says: codeOf(fix) };
  return { name, found: found.text, fix: fix.text, ...says };
}

export function faultsOf(checks: Check[]): NumberFault[] {
  return checks.flatMap(({ ok, fix = '', ...check }) => (ok ? [] : [{ ...check, fix }]));
}
