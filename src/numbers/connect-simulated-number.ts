import { access } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { ApiError } from '../errors.ts';
import { randomBase62, type Vault } from '../platform/crypto.ts';
import type { Db } from '../platform/database.ts';
import { connectNumber } from './connect-number.ts';
import type { NumberRow } from './queries.ts';

/** Where the network reports what becomes of a number's messages. */
export function callbackUrl(config: Config, callbackId: string): string {
  const base = config.baseUrl || `https://localhost:${config.port}`;
  return `${base}/whatsapp/callbacks/${callbackId}`;
}

type SimulatedNumber = {
  phone_number_id: string;
  business_account_id: string;
  display_phone_number: string;
  access_token: string;
  app_secret: string;
};

/**
 * Asks the running simulator for a new number that calls this service back, and connects it.
 *
 * @throws ApiError 500 when the simulator does not answer
 */
export async function connectSimulatedNumber(
  services: { db: Db; vault: Vault; config: Config; simulatorUrl: string },
  tenantId: number,
): Promise<NumberRow> {
  const { config, simulatorUrl } = services;
  const callbackId = randomBase62(32);
  const verifyToken = randomBase62(32);
  const authority = join(config.dataDir, 'tls', 'authority.pem');
  const ca = await access(authority).then(
    () => authority,
    () => undefined,
  );
  const made = await createInSimulator(simulatorUrl, {
    callback_url: callbackUrl(config, callbackId),
    verify_token: verifyToken,
    ca,
  });
  return connectNumber(services, tenantId, {
    phoneNumberId: made.phone_number_id,
    businessAccountId: made.business_account_id,
    displayPhoneNumber: made.display_phone_number,
    accessToken: made.access_token,
    appSecret: made.app_secret,
    simulator: true,
    callbackId,
    verifyToken,
  });
}

async function createInSimulator(simulatorUrl: string, number: object): Promise<SimulatedNumber> {
  const response = await fetch(`${simulatorUrl}/simulator/numbers`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(number),
  }).catch((cause) => {
    throw new ApiError('server_error', {
      message: `The simulator does not answer at ${simulatorUrl}. \`parley demo\` starts it.`,
      cause,
    });
  });
  if (!response.ok) {
    throw new ApiError('server_error', {
      message: `The simulator refused: ${await response.text()}`,
    });
  }
  return (await response.json()) as SimulatedNumber;
}
