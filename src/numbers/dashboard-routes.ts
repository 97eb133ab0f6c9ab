import type { Db } from '../platform/database/database.ts';
import { notFound } from '../platform/errors/api-error.ts';
import { idFrom } from '../platform/values/id.ts';
import type { Services } from '../services.ts';
import type { TenantApi } from '../tenants/tenant-api.ts';
import { type ConnectedRow, connectNumber } from './connect-number.ts';
import { connectSimulatedNumber } from './connect-simulated-number.ts';
import {
  ChangeNumber,
  ConnectNumber,
  Numbers,
  OneNumber,
  TestedNumber,
} from './dashboard-schema.ts';
import { chooseDefaultNumber, withDefault } from './default-number.ts';
import { disconnectNumber } from './disconnect-number.ts';
import type { NumberFinder } from './find-number.ts';
import { nameOf, presentNumber, takeover } from './present-number.ts';
import { listNumbers, type NumberRow, setMarketingEndpoint } from './queries.ts';
import { testConnection } from './test-connection.ts';

/** Adds the routes of the tenant's WhatsApp numbers. Their secrets can be set but never read. */
export function numberDashboardRoutes(
  api: TenantApi,
  services: Services & { numbers: NumberFinder },
): void {
  const { db, config, simulatorUrl, numbers } = services;

  /** Lists the tenant's numbers, without simulated ones unless the simulator runs. */
  async function usableNumbers(from: Db, tenantId: number): Promise<NumberRow[]> {
    const rows = await listNumbers(from, tenantId);
    return withDefault(simulatorUrl === undefined ? rows.filter((row) => !row.simulator) : rows);
  }

  async function usableNumber(tenantId: number, params: unknown): Promise<NumberRow> {
    const id = idFrom(params);
    const number = (await usableNumbers(db, tenantId)).find((row) => row.id === id);
    if (!number) throw notFound();
    return number;
  }

  api.get('/numbers', { schema: { response: { 200: Numbers } } }, async ({ db: reads, member }) => {
    const rows = await usableNumbers(reads, member.tenantId);
    return {
      success: true as const,
      data: {
        numbers: rows.map((row) => ({
          ...presentNumber(config, row),
          ...(member.role === 'owner' ? {} : { verify_token: '' }),
        })),
        simulator_url: simulatorUrl ?? null,
      },
    };
  });

  api.post(
    '/numbers',
    { config: { owner: true }, schema: { body: ConnectNumber, response: { 200: OneNumber } } },
    async ({ member, body }) => {
      const row = await connectNumber(services, member.tenantId, {
        phoneNumberId: body.phone_number_id.trim(),
        businessAccountId: body.business_account_id.trim(),
        accessToken: body.access_token.trim(),
        appSecret: body.app_secret.trim(),
      });
      return connected(row);
    },
  );

  if (simulatorUrl !== undefined) {
    api.post(
      '/numbers/simulated',
      {
        config: { owner: true, limitConcurrency: false },
        schema: { response: { 200: OneNumber } },
      },
      async ({ member }) =>
        connected(await connectSimulatedNumber({ ...services, simulatorUrl }, member.tenantId)),
    );
  }

  api.post(
    '/numbers/:id/test',
    { config: { limitConcurrency: false }, schema: { response: { 200: TestedNumber } } },
    async ({ member, params }) => {
      const data = await testConnection(services, numbers, member.tenantId, idFrom(params));
      if (!data) throw notFound();
      return { success: true as const, data };
    },
  );

  api.put(
    '/numbers/:id',
    { config: { owner: true }, schema: { body: ChangeNumber, response: { 200: OneNumber } } },
    async ({ member: { tenantId }, params, body }) => {
      const number = await usableNumber(tenantId, params);
      if (body.default) await chooseDefaultNumber(db, tenantId, number.phone_number_id);
      if (body.marketing_endpoint !== undefined) {
        await setMarketingEndpoint(db, tenantId, number.id, body.marketing_endpoint);
      }
      const data = presentNumber(config, await usableNumber(tenantId, params));
      return { success: true as const, message: 'The number is changed.', data };
    },
  );

  api.delete(
    '/numbers/:id',
    { config: { owner: true }, schema: { response: { 200: OneNumber } } },
    async ({ member: { tenantId }, params }) => {
      const number = await usableNumber(tenantId, params);
      const left = await disconnectNumber(db, tenantId, number.phone_number_id);
      if (!left) throw notFound();
      const next = number.is_default && left.defaultNumber;
      return {
        success: true as const,
        message: `The number is disconnected and its secrets are deleted.${
          next ? ` Messages are now sent from ${nameOf(next)}.` : ''
        }`,
        data: presentNumber(config, { ...number, is_default: false }),
      };
    },
  );

  function connected(row: ConnectedRow) {
    return {
      success: true as const,
      message: ['The number is connected.', ...takeover(row)].join(' '),
      data: presentNumber(config, row),
    };
  }
}
