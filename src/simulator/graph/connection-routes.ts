import type { FastifyInstance, FastifyRequest } from 'fastify';
import { numbersOf } from '../account.ts';
import type { Network } from '../network.ts';
import { verifyCallback } from '../numbers.ts';
import { emitChange } from '../state.ts';
import { appOf, keyOf, knownFields } from '../subscriptions.ts';
import type { JsonObject, SimulatedNumber } from '../types.ts';
import { changeAccount } from './account-routes.ts';
import { accountOf, appToken, bearer, numberOf, requireScope } from './authorise.ts';
import { GraphError } from './graph-errors.ts';
import { object, string } from './params.ts';

/** Registers the routes with which a number is connected: its token, registration, and callbacks. */
export function connectionRoutes(app: FastifyInstance, network: Network): void {
  const { state } = network;

  app.get<{ Querystring: { input_token?: string } }>('/debug_token', async (request) => {
    const { input_token: token } = request.query;
    if (token === undefined) throw GraphError.parameter('The parameter input_token is required.');
    const asker = [...state.numbers.values()].find((number) =>
      [number.access_token, appToken(number)].includes(bearer(request)),
    );
    if (!asker) throw GraphError.of(190);
    const ofToken = [...state.numbers.values()].filter((number) => number.access_token === token);
    return { data: describeToken(ofToken) };
  });

  app.post<{ Params: { id: string } }>('/:id/register', async (request) => {
    const number = numberOf(network, request);
    requireScope(number, 'whatsapp_business_messaging');
    const pin = string((request.body ?? {}) as JsonObject, 'pin', 'pin', 6, 6);
    const { registration } = number;
    if (registration.pin !== null && registration.pin !== pin) throw GraphError.of(133005);
    number.registration = { status: 'CONNECTED', pin };
    emitChange(state, 'number', number.phone_number_id);
    return { success: true };
  });

  app.post<{ Params: { id: string } }>('/:id', async (request) => {
    if (!state.numbers.has(request.params.id)) return changeAccount(network, request);
    const number = numberOf(network, request);
    requireScope(number, 'whatsapp_business_management');
    const body = (request.body ?? {}) as JsonObject;
    const given = object(body, 'webhook_configuration', 'webhook_configuration');
    const url = string(given, 'override_callback_uri', 'override_callback_uri', 0, 200);
    if (url !== '') {
      const verify_token = string(given, 'verify_token', 'verify_token', 1, 1_000);
      await challenge({ callback_url: url, verify_token, ca: number.ca });
    }
    number.callback_url = url === '' ? null : url;
    network.outbox.reconnect(number.phone_number_id);
    emitChange(state, 'number', number.phone_number_id);
    return { success: true };
  });

  app.post<{ Params: { id: string } }>('/:id/subscribed_apps', async (request) => {
    const owner = accountOf(network, request);
    const given = { ...(request.query as JsonObject), ...(request.body as JsonObject | null) };
    const { override_callback_uri: uri, verify_token: token } = given;
    if (uri !== undefined) {
      await challenge({ callback_url: String(uri), verify_token: String(token), ca: owner.ca });
    }
    const { business_account_id, app_id } = owner;
    state.subscriptions.set(keyOf(owner), {
      business_account_id,
      app_id,
      override_callback_uri: uri === undefined ? null : String(uri),
    });
    changed(business_account_id);
    return { success: true };
  });

  app.get<{ Params: { id: string } }>('/:id/subscribed_apps', async (request) => {
    const { business_account_id } = accountOf(network, request);
    const all = [...state.subscriptions.values()].filter(
      (one) => one.business_account_id === business_account_id,
    );
    return {
      data: all.map(({ app_id, override_callback_uri }) => ({
        whatsapp_business_api_data: {
          id: app_id,
          name: nameOf(app_id),
          link: 'https://example.com/',
        },
        ...(override_callback_uri !== null && { override_callback_uri }),
      })),
    };
  });

  app.delete<{ Params: { id: string } }>('/:id/subscribed_apps', async (request) => {
    const owner = accountOf(network, request);
    state.subscriptions.delete(keyOf(owner));
    changed(owner.business_account_id);
    return { success: true };
  });

  app.get<{ Params: { id: string } }>('/:id/subscriptions', async (request) => {
    const { callback_url, fields } = appOf(state, ownerOfApp(request).app_id);
    if (callback_url === null) return { data: [] };
    const named = fields.map((name) => ({ name, version: 'v25.0' }));
    const object = 'whatsapp_business_account';
    return { data: [{ object, callback_url, active: true, fields: named }] };
  });

  app.post<{ Params: { id: string } }>('/:id/subscriptions', async (request) => {
    const { app_id, ca } = ownerOfApp(request);
    const given = { ...(request.query as JsonObject), ...(request.body as JsonObject | null) };
    const callback_url = string(given, 'callback_url', 'callback_url', 1, 200);
    const verify_token = string(given, 'verify_token', 'verify_token', 1, 1_000);
    const fields = Array.isArray(given.fields) ? given.fields.map(String) : [];
    const unknown = fields.find((field) => !knownFields.includes(field));
    if (unknown !== undefined) throw GraphError.parameter(`Unknown field ${unknown}`);
    await challenge({ callback_url, verify_token, ca });
    state.apps.set(app_id, { id: app_id, callback_url, fields });
    for (const number of state.numbers.values()) {
      if (number.app_id === app_id) changed(number.business_account_id);
    }
    return { success: true };
  });

  /** The address that the callbacks of an account go to may be another one now. */
  function changed(businessAccountId: string): void {
    for (const { phone_number_id } of numbersOf(network, businessAccountId)) {
      network.outbox.reconnect(phone_number_id);
      emitChange(state, 'number', phone_number_id);
    }
  }

  /** Returns a number of the app of the path, if the request has the app's own token. */
  function ownerOfApp(request: FastifyRequest<{ Params: { id: string } }>): SimulatedNumber {
    const ofApp = [...state.numbers.values()].filter(({ app_id }) => app_id === request.params.id);
    const owner = ofApp.find((number) => appToken(number) === bearer(request));
    if (owner) return owner;
    if (ofApp.some(({ access_token }) => access_token === bearer(request))) {
      throw GraphError.parameter('This method must be called with an app access_token.');
    }
    throw GraphError.of(190);
  }

  function nameOf(appId: string): string {
    const owner = [...state.numbers.values()].find(({ app_id }) => app_id === appId);
    return owner ? `App of ${owner.verified_name}` : 'Another app';
  }
}

/** @throws GraphError 2200 unless the receiver at the address knows the verify token */
async function challenge(
  target: Pick<SimulatedNumber, 'callback_url' | 'verify_token' | 'ca'>,
): Promise<void> {
  const problem = await verifyCallback(target);
  if (problem === null) return;
  throw GraphError.of(2200, `Callback verification failed with the following errors: ${problem}`);
}

/** @param numbers those that have the token */
function describeToken(numbers: SimulatedNumber[]): JsonObject {
  const [first] = numbers;
  if (!first) {
    const error = { code: 190, message: 'Invalid OAuth access token.', subcode: 467 };
    return { error, is_valid: false, scopes: [] };
  }
  const { scopes, expires_at, names_accounts } = first.token;
  const target_ids = [...new Set(numbers.map((number) => number.business_account_id))];
  return {
    app_id: first.app_id,
    application: `App of ${first.verified_name}`,
    type: 'SYSTEM_USER',
    is_valid: expires_at === 0 || expires_at * 1_000 > Date.now(),
    expires_at,
    scopes,
    granular_scopes: scopes.map((scope) => ({ scope, ...(names_accounts && { target_ids }) })),
  };
}
