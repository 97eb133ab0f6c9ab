import type { Static } from 'typebox';
import type { Db } from '../platform/database/database.ts';
import { invalid, notFound } from '../platform/errors/api-error.ts';
import { success } from '../platform/http/success.ts';
import { idFrom } from '../platform/values/id.ts';
import type { Services } from '../services.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import { changeMarketingEndpoint } from './change-marketing-endpoint.ts';
import { verifyNumber } from './checking/verify-number.ts';
import { connectAndCheck, type GivenNumber } from './connecting/connect-and-check.ts';
import type { ConnectedRow } from './connecting/connect-number.ts';
import { connectSimulatedNumber } from './connecting/connect-simulated-number.ts';
import { findVisibleNumbers } from './connecting/find-visible-numbers.ts';
import { disconnectAndGiveBack } from './connecting/give-callbacks-back.ts';
import { notOneOf, presentVisible } from './connecting/present-visible-number.ts';
import {
  ChangeNumber,
  CheckedNumber,
  ConnectNumber,
  DisconnectedNumber,
  FindNumbers,
  Numbers,
  OneNumber,
  VerifyNumber,
  VisibleNumbers,
} from './dashboard-schema.ts';
import { chooseDefaultNumber, withDefault } from './default-number.ts';
import type { NumberFinder } from './find-number.ts';
import { nameOf } from './name-of.ts';
import { presentNumber, takeover } from './present-number.ts';
import { listNumbers, type NumberRow } from './queries.ts';
import { describeState } from './state/number-state.ts';
import { listUnconnected } from './state/unconnected-numbers.ts';

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

  function presentFor(row: NumberRow, role: string) {
    return { ...presentNumber(config, row), ...(role === 'owner' ? {} : { verify_token: '' }) };
  }

  api.get('/numbers', { schema: { response: { 200: Numbers } } }, async ({ db: reads, member }) => {
    const rows = await usableNumbers(reads, member.tenantId);
    const unconnected = await listUnconnected(reads, member.tenantId);
    return success({
      data: {
        numbers: rows.map((row) => presentFor(row, member.role)),
        simulator_url: simulatorUrl ?? null,
        unconnected: unconnected.map((row) => ({
          ...row,
          first_at: row.first_at.toISOString(),
          last_at: row.last_at.toISOString(),
        })),
      },
    });
  });

  api.post(
    '/numbers',
    {
      config: { owner: true, limitConcurrency: false },
      schema: { body: ConnectNumber, response: { 200: CheckedNumber } },
    },
    async ({ member, body }) => {
      const result = await connectAndCheck(services, member.tenantId, givenNumber(body), {
        pin: body.pin,
        takeOver: body.take_over,
      });
      if ('choices' in result) throw invalid({ phone_number_id: [notOneOf(result.choices)] });
      const { data, ...rest } = connected(result.connected);
      return { ...rest, data: { ...data, checks: result.checks } };
    },
  );

  api.post(
    '/numbers/visible',
    {
      config: { owner: true, limitConcurrency: false },
      schema: { body: FindNumbers, response: { 200: VisibleNumbers } },
    },
    async ({ member, body }) => {
      const visible = await findVisibleNumbers(services, givenNumber(body));
      const own = new Set(
        (await listNumbers(db, member.tenantId)).map((row) => row.phone_number_id),
      );
      return success({
        data: {
          numbers: visible.map((number) => ({
            ...presentVisible(number),
            connected: own.has(number.phoneNumberId),
          })),
        },
      });
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
    '/numbers/:id/verify',
    {
      config: { limitConcurrency: false },
      schema: { body: VerifyNumber, response: { 200: CheckedNumber } },
    },
    async ({ member: { tenantId, role }, params, body }) => {
      const { id } = await usableNumber(tenantId, params);
      const checks = await verifyNumber(
        services,
        numbers,
        { tenantId, id },
        {
          // Staff see what is wrong, but change nothing at the network.
          repair: role === 'owner',
          pin: body.pin,
          takeOver: body.take_over,
        },
      );
      if (!checks) throw notFound();
      const shown = presentFor(await usableNumber(tenantId, params), role);
      return success({ message: describeState(shown), data: { ...shown, checks } });
    },
  );

  api.put(
    '/numbers/:id',
    { config: { owner: true }, schema: { body: ChangeNumber, response: { 200: OneNumber } } },
    async ({ member: { tenantId }, params, body }) => {
      const number = await usableNumber(tenantId, params);
      if (body.default) await chooseDefaultNumber(db, tenantId, number.phone_number_id);
      if (body.marketing_endpoint !== undefined) {
        await changeMarketingEndpoint(db, tenantId, number.id, body.marketing_endpoint);
      }
      const data = presentNumber(config, await usableNumber(tenantId, params));
      return success({ message: 'The number is changed.', data });
    },
  );

  api.delete(
    '/numbers/:id',
    {
      config: { owner: true, limitConcurrency: false },
      schema: { response: { 200: DisconnectedNumber } },
    },
    async ({ member: { tenantId }, params }) => {
      const number = await usableNumber(tenantId, params);
      const left = await disconnectAndGiveBack(services, numbers, tenantId, number.phone_number_id);
      if (!left) throw notFound();
      const next = number.is_default && left.defaultNumber;
      return success({
        message: `The number is disconnected and its secrets are deleted.${
          next ? ` Messages are now sent from ${nameOf(next)}.` : ''
        }`,
        data: {
          ...presentNumber(config, { ...number, is_default: false }),
          callbacks: left.callbacks,
        },
      });
    },
  );

  function connected(row: ConnectedRow) {
    return success({
      message: ['The number is connected.', ...takeover(row)].join(' '),
      data: presentNumber(config, row),
    });
  }
}

function givenNumber(body: Static<typeof ConnectNumber>): GivenNumber {
  return {
    accessToken: body.access_token.trim(),
    appSecret: body.app_secret.trim(),
    phoneNumberId: body.phone_number_id?.trim(),
    businessAccountId: body.business_account_id?.trim(),
  };
}
