import type { Db } from '../platform/database/database.ts';
import { notFound } from '../platform/errors/api-error.ts';
import { idFrom } from '../platform/values/id.ts';
import type { Services } from '../services.ts';
import type { TenantApi } from '../tenants/tenant-api.ts';
import { connectNumber } from './connect-number.ts';
import { connectSimulatedNumber } from './connect-simulated-number.ts';
import { ConnectNumber, Numbers, OneNumber, TestedNumber } from './dashboard-schema.ts';
import type { NumberFinder } from './find-number.ts';
import { presentNumber } from './present-number.ts';
import { disconnectNumber, findSendingNumber, listNumbers, type NumberRow } from './queries.ts';
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
    return simulatorUrl === undefined ? rows.filter((row) => !row.simulator) : rows;
  }

  function presentFor(row: NumberRow, { sends, isOwner }: { sends: boolean; isOwner: boolean }) {
    const shown = presentNumber(config, row);
    return { ...shown, ...(isOwner ? {} : { verify_token: '' }), sends };
  }

  api.get('/numbers', { schema: { response: { 200: Numbers } } }, async ({ db: reads, member }) => {
    const rows = await usableNumbers(reads, member.tenantId);
    return {
      success: true as const,
      data: {
        numbers: rows.map((row, index) =>
          presentFor(row, { sends: index === 0, isOwner: member.role === 'owner' }),
        ),
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
      return await connected(row);
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

  api.delete(
    '/numbers/:id',
    { config: { owner: true }, schema: { response: { 200: OneNumber } } },
    async ({ member, params }) => {
      const id = idFrom(params);
      const row = (await usableNumbers(db, member.tenantId)).find((each) => each.id === id);
      if (!row || !(await disconnectNumber(db, member.tenantId, row.phone_number_id))) {
        throw notFound();
      }
      return {
        success: true as const,
        message: 'The number is disconnected and its secrets are deleted.',
        data: presentFor(row, { sends: false, isOwner: true }),
      };
    },
  );

  async function connected(row: NumberRow) {
    const sending = await findSendingNumber(db, row.tenant_id, simulatorUrl !== undefined);
    return {
      success: true as const,
      message: 'The number is connected.',
      data: presentFor(row, { sends: sending?.id === row.id, isOwner: true }),
    };
  }
}
