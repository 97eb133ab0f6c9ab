import { connectNumber } from '../../src/numbers/connecting/connect-number.ts';
import type { NumberRow } from '../../src/numbers/queries.ts';
import type { TestApp, TestTenant } from '../program/app.ts';

/** Calls the simulator's control API. Throws if it refuses. */
export async function control(
  { simulator }: Pick<TestApp, 'simulator'>,
  method: string,
  path: string,
  body?: unknown,
) {
  const response = await fetch(`${simulator.url}${path}`, {
    method,
    headers: body === undefined ? {} : { 'content-type': 'application/json' },
    body: body === undefined ? undefined : JSON.stringify(body),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`simulator ${method} ${path}: ${response.status} ${text}`);
  return text ? JSON.parse(text) : undefined;
}

/** Changes the behaviour of the simulator for a tenant's number; null resets a setting. */
export function misbehave(test: TestApp, { number }: TestTenant, knobs: object) {
  const { phone_number_id } = number;
  return control(test, 'POST', '/simulator/behaviour', { phone_number_id, ...knobs });
}

/**
 * Connects a number of the simulator, with its callbacks sent to the app.
 *
 * @param values of the number in the simulator, such as the account of another number
 */
export async function connectTestNumber(
  test: TestApp,
  tenantId: number,
  values: Partial<Pick<NumberRow, 'business_account_id'>> & { limits?: object } = {},
): Promise<NumberRow> {
  const made = await control(test, 'POST', '/simulator/numbers', values);
  const number = await connectNumber(test.services, tenantId, {
    phoneNumberId: made.phone_number_id,
    businessAccountId: made.business_account_id,
    displayPhoneNumber: made.display_phone_number,
    accessToken: made.access_token,
    appSecret: made.app_secret,
  });
  await control(test, 'POST', '/simulator/numbers', {
    phone_number_id: made.phone_number_id,
    callback_url: `${test.url}/whatsapp/callbacks/${number.callback_id}`,
    verify_token: number.verify_token,
  });
  return number;
}
