import { type Credentials, type Graph, type LookUp, readLookUp } from '../graph.ts';
import { type Json, list, record, shortText, string } from '../json.ts';

/** The network's report on whether a number can send. Missing facts are undefined. */
export type Sendability = {
  /** CONNECTED once the number is registered; the list of other values is open. */
  status: string | undefined;
  /** Whether the number has a PIN already, which its registration must repeat. */
  hasPin: boolean | undefined;
  /** Whether it is in the WhatsApp Business app too, which registers it. */
  isInPhoneApp: boolean | undefined;
  /** The network's own verdict about the number, its account and its business. */
  health: { verdict: 'AVAILABLE' | 'LIMITED' | 'BLOCKED'; reasons: string[] } | undefined;
};

/**
 * Looks up what may keep a number from sending. An unknown field fails a whole call of the network, so the fields that
 * not every version has are requested separately, and their failures are no failures of the number.
 */
export async function lookUpSendability(
  graph: Graph,
  credentials: Credentials,
): Promise<Sendability> {
  const [state, health] = await Promise.all([
    ask('status,is_pin_enabled,is_on_biz_app', (body) => body),
    ask('health_status', ({ health_status }) => readHealth(record(health_status))),
  ]);
  const fields = state.outcome === 'found' ? state.value : {};
  return {
    status: string(fields.status)?.toUpperCase(),
    hasPin: isBoolean(fields.is_pin_enabled) ? fields.is_pin_enabled : undefined,
    isInPhoneApp: isBoolean(fields.is_on_biz_app) ? fields.is_on_biz_app : undefined,
    health: health.outcome === 'found' ? health.value : undefined,
  };

  async function ask<Value>(
    fields: string,
    read: (body: Json) => Value | undefined,
  ): Promise<LookUp<Value>> {
    const path = `/${encodeURIComponent(credentials.phoneNumberId)}?fields=${fields}`;
    return readLookUp(await graph.call(credentials, 'GET', path), read);
  }
}

function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}

/** Reads `health_status`: the worst of its entities, and why. A missing payment method is one of the reasons. */
function readHealth(health: Json | undefined): Sendability['health'] {
  const verdict = string(health?.can_send_message)?.toUpperCase();
  if (verdict !== 'AVAILABLE' && verdict !== 'LIMITED' && verdict !== 'BLOCKED') return undefined;
  const reasons = list(health?.entities)
    .map(record)
    .flatMap((entity) => [
      ...list(entity?.errors).map(record).map(describeError),
      ...list(entity?.additional_info).map(shortText),
    ])
    .filter((reason) => reason !== null);
  return { verdict, reasons: [...new Set(reasons)].slice(0, 5) };
}

function describeError(error: Json | undefined): string | null {
  const found = shortText(error?.error_description);
  const remedy = shortText(error?.possible_solution);
  if (found === null) return remedy;
  return [found, remedy].filter((text) => text !== null).join(' ');
}
