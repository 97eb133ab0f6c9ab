import { access } from 'node:fs/promises';
import { join } from 'node:path';
import { buildConnector } from 'undici';
import type { Config } from '../../config.ts';
import type { Database } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';
import { createClient } from '../../platform/outbound/create-client.ts';
import { onread } from '../../platform/outbound/responses/feed-parser.ts';
import { sendRequest } from '../../platform/outbound/send-request.ts';
import { randomBase62, type Vault } from '../../platform/secrets/crypto.ts';
import { newAddressId } from '../../platform/values/cell.ts';
import { parseObject } from '../../whatsapp/json.ts';
import { createNumberFinder } from '../find-number.ts';
import { callbackUrl } from '../present-number.ts';
import { listNumbers, listSimulatedNumbers } from '../queries.ts';
import { type ConnectedRow, connectNumber } from './connect-number.ts';

type SimulatedNumber = {
  phone_number_id: string;
  business_account_id: string;
  display_phone_number: string;
  access_token: string;
  app_secret: string;
};

/**
 * Creates a number in the running simulator, with this service as its callback URL, and connects
 * it.
 *
 * @param businessAccountId the account of the number; if left out, that of the tenant's other
 *   simulated numbers, or a new one
 * @throws ApiError 500 if the simulator does not respond
 */
export async function connectSimulatedNumber(
  services: { db: Database; vault: Vault; config: Config; simulatorUrl: string },
  tenantId: number,
  businessAccountId?: string,
): Promise<ConnectedRow> {
  const { db, config, simulatorUrl } = services;
  const other = (await listNumbers(db, tenantId)).find((row) => row.simulator);
  const callbackId = newAddressId(config.cell);
  const verifyToken = randomBase62(32);
  const created = await putInSimulator(simulatorUrl, {
    business_account_id: businessAccountId ?? other?.business_account_id,
    callback_url: callbackUrl(config, callbackId),
    verify_token: verifyToken,
    ca: await authorityPath(config),
  });
  return connectNumber(services, tenantId, {
    phoneNumberId: created.phone_number_id,
    businessAccountId: created.business_account_id,
    displayPhoneNumber: created.display_phone_number,
    accessToken: created.access_token,
    appSecret: created.app_secret,
    simulator: true,
    callbackId,
    verifyToken,
  });
}

/**
 * Creates every simulated number in the simulator again: it may have lost its memory, or the
 * address of this service may have changed.
 */
export async function restoreSimulatedNumbers(services: {
  db: Database;
  vault: Vault;
  config: Config;
  networkUrl: string;
  simulatorUrl: string;
}): Promise<void> {
  const { db, config, simulatorUrl } = services;
  const { open } = createNumberFinder(services);
  for (const row of await listSimulatedNumbers(db)) {
    const number = open(row);
    if (!number) continue;
    await putInSimulator(simulatorUrl, {
      phone_number_id: number.phoneNumberId,
      business_account_id: number.businessAccountId,
      display_phone_number: number.displayPhoneNumber ?? undefined,
      access_token: number.accessToken,
      app_secret: number.appSecret,
      callback_url: callbackUrl(config, row.callback_id),
      verify_token: number.verifyToken,
      ca: await authorityPath(config),
    });
  }
}

/**
 * The CA that the simulator must trust for callbacks; undefined with the operator's own
 * certificate.
 */
async function authorityPath({ dataDir }: Config): Promise<string | undefined> {
  const path = join(dataDir, 'tls', 'authority.pem');
  return access(path).then(
    () => path,
    () => undefined,
  );
}

/**
 * Creates or updates a number in the simulator. The response is untrusted: another program may have
 * its port.
 */
async function putInSimulator(simulatorUrl: string, number: object): Promise<SimulatedNumber> {
  const client = createClient(simulatorUrl, buildConnector({ allowH2: false, onread }));
  const request = {
    method: 'POST',
    path: '/simulator/numbers',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(number),
  };
  const limits = { timeoutMs: 10_000, maxBodyBytes: 64 * 1024 };
  const response = await sendRequest(client, request, limits)
    .catch((cause) => {
      throw new ApiError('server_error', {
        message: fault(
          'simulator_away',
          'The simulator does not respond at {url}. `parley demo` starts it.',
          { url: simulatorUrl },
        ),
        cause,
      });
    })
    .finally(() => client.destroy());
  const created = parseObject(response.body.toString());
  if (response.status !== 200 || !created) {
    throw new ApiError('server_error', {
      message: fault('simulator_refused', 'The simulator refused the number (HTTP {status}).', {
        status: String(response.status),
      }),
    });
  }
  return created as SimulatedNumber;
}
