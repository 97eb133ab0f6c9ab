import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { GraphError } from './graph-errors.ts';
import { markSeen } from './inbound.ts';
import type { Network } from './network.ts';
import { putNumber, verifyCallback } from './numbers.ts';
import { type Outcome, takeMessage } from './take-message.ts';
import {
  listTemplates,
  pickFields,
  putTemplate,
  templateRecord,
  templatesOf,
} from './templates.ts';
import type { JsonObject, SimulatedNumber, Template } from './types.ts';
import { validateProduct } from './validate-message.ts';

/** The paths of the Graph API, without their version: `start-simulator.ts` has cut it off. */
export function graphRoutes(app: FastifyInstance, network: Network): void {
  const { state, media } = network;

  app.post<{ Params: { id: string } }>('/:id/messages', async (request, reply) => {
    const number = numberOf(network, request);
    const body = (request.body ?? {}) as JsonObject;
    if (body.status === 'read') {
      validateProduct(body);
      if (!markSeen(network, number.phone_number_id, String(body.message_id))) {
        throw GraphError.of(131009, 'Message ID is invalid or does not belong to this number.');
      }
      return { success: true };
    }
    const outcome = takeMessage(network, number, body);
    if (outcome.knobs.delayMs) await sleep(outcome.knobs.delayMs);
    return answerSend(reply, outcome);
  });

  app.get<{ Params: { id: string }; Querystring: { fields?: string } }>('/:id', async (request) => {
    const { id } = request.params;
    const stored = media.get(id);
    if (stored) {
      const owner = state.numbers.get(stored.phone_number_id);
      if (!owner || bearer(request) !== owner.access_token) throw denied(network, request, id);
      return {
        messaging_product: 'whatsapp',
        url: `http://${request.host}/whatsapp_business/attachments/?mid=${id}&ext=${Math.floor(Date.now() / 1000) + 300}&hash=${stored.hash}`,
        mime_type: stored.mime_type,
        sha256: stored.sha256,
        file_size: stored.file_size,
        id,
      };
    }
    if (state.templates.has(id)) {
      const owner = accountOf(network, request);
      return { id, name: owner.verified_name, currency: 'USD', timezone_id: '1' };
    }
    const template = [...state.templates.values()].flat().find((one) => one.id === id);
    if (template) {
      accountOf(network, request, template.business_account_id);
      return pickFields(templateRecord(template), request.query.fields);
    }
    const number = numberOf(network, request);
    refuseLookup(network, number);
    return pickFields(numberRecord(number), request.query.fields);
  });

  app.get<{ Params: { id: string } }>('/:id/phone_numbers', async (request) => {
    accountOf(network, request);
    const numbers = [...state.numbers.values()].filter(
      (number) => number.business_account_id === request.params.id,
    );
    return { data: numbers.map(numberRecord) };
  });

  app.get<{ Params: { id: string }; Querystring: Record<string, string> }>(
    '/:id/message_templates',
    async (request) => {
      accountOf(network, request);
      const address = new URL(request.originalUrl, `http://${request.host}`);
      return listTemplates(templatesOf(state, request.params.id), request.query, address);
    },
  );

  app.post<{ Params: { id: string } }>('/:id/message_templates', async (request) => {
    accountOf(network, request);
    const body = (request.body ?? {}) as Partial<Template>;
    for (const field of ['name', 'language', 'category', 'components'] as const) {
      if (!body[field]) throw GraphError.parameter(`The parameter ${field} is required.`);
    }
    const { name = '', language = '', category = '', components = [] } = body;
    const parameter_format = body.parameter_format === 'NAMED' ? 'NAMED' : 'POSITIONAL';
    const status = 'PENDING';
    const made = { name, language, category: category.toUpperCase(), components };
    const template = putTemplate(state, request.params.id, { ...made, parameter_format, status });
    return { id: template.id, status, category: template.category };
  });

  app.delete<{ Params: { id: string }; Querystring: { name?: string } }>(
    '/:id/message_templates',
    async (request) => {
      accountOf(network, request);
      const templates = templatesOf(state, request.params.id);
      const kept = templates.filter((one) => one.name !== request.query.name);
      if (kept.length === templates.length) {
        throw GraphError.of(100, 'Message template not found.');
      }
      state.templates.set(request.params.id, kept);
      state.changes.emit('any');
      return { success: true };
    },
  );

  app.post<{ Params: { id: string } }>('/:id/subscribed_apps', async (request) => {
    const owner = accountOf(network, request);
    const given = { ...(request.query as JsonObject), ...(request.body as JsonObject | null) };
    const { override_callback_uri: uri, verify_token: token } = given;
    if (uri === undefined) return { success: true };
    const numbers = [...state.numbers.values()].filter(
      (number) => number.business_account_id === owner.business_account_id,
    );
    const target = { callback_url: String(uri), verify_token: String(token), ca: owner.ca };
    const problem = await verifyCallback(target);
    if (problem) {
      throw GraphError.of(
        2200,
        `Callback verification failed with the following errors: ${problem}`,
      );
    }
    for (const number of numbers)
      putNumber(network, { ...target, phone_number_id: number.phone_number_id });
    return { success: true };
  });

  app.get<{ Params: { id: string } }>('/:id/subscribed_apps', async (request) => {
    const owner = accountOf(network, request);
    const api = { id: '1', name: 'Simulator', link: 'http://localhost/' };
    return {
      data: [{ whatsapp_business_api_data: api, override_callback_uri: owner.callback_url }],
    };
  });

  app.delete<{ Params: { id: string } }>('/:id/subscribed_apps', async (request) => {
    const owner = accountOf(network, request);
    putNumber(network, { phone_number_id: owner.phone_number_id, callback_url: null });
    return { success: true };
  });
}

function answerSend(reply: FastifyReply, { knobs, answer, refusal }: Outcome): unknown {
  if (refusal) throw refusal;
  if (!answer || knobs.answer === 'drop-after-accept') return cut(reply);
  if (knobs.answer === 'never') {
    // Held open until the caller gives up or the simulator closes.
    reply.hijack();
    return reply;
  }
  if (knobs.answer === 'garbage') {
    return reply
      .type('text/html')
      .send('<!doctype html><title>Sorry, something went wrong.</title>');
  }
  if (knobs.answer === 'half') {
    const text = JSON.stringify(answer);
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    reply.raw.write(text.slice(0, text.length / 2), () => reply.raw.destroy());
    return reply;
  }
  return reply.type('application/json; charset=UTF-8').send(answer);
}

function cut(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}

function bearer(request: FastifyRequest): string {
  const header = request.headers.authorization ?? '';
  return /^bearer /i.test(header) ? header.slice(7).trim() : '';
}

/** The number of the path, when the token is its own. */
export function numberOf(network: Network, request: FastifyRequest): SimulatedNumber {
  const { id } = request.params as { id: string };
  const number = network.state.numbers.get(id);
  if (number && bearer(request) === number.access_token) return number;
  throw denied(network, request, id);
}

/** A number of the business account of the path whose token this is. */
function accountOf(
  network: Network,
  request: FastifyRequest,
  id = (request.params as { id: string }).id,
): SimulatedNumber {
  const token = bearer(request);
  for (const number of network.state.numbers.values()) {
    if (number.business_account_id !== id || number.access_token !== token) continue;
    refuseLookup(network, number);
    return number;
  }
  throw denied(network, request, id);
}

function refuseLookup(network: Network, number: SimulatedNumber): void {
  const { lookupStatus } = network.behaviours.peek(number.phone_number_id, null);
  if (lookupStatus) throw GraphError.ofStatus(lookupStatus);
}

/** A token that nobody has is 190; a good one that has no right here learns nothing of the object. */
export function denied(network: Network, request: FastifyRequest, id: string): GraphError {
  const token = bearer(request);
  for (const number of network.state.numbers.values()) {
    if (number.access_token === token) return GraphError.unknownObject(request.method, id);
  }
  return GraphError.of(190);
}

function numberRecord(number: SimulatedNumber): JsonObject {
  return {
    verified_name: number.verified_name,
    code_verification_status: 'VERIFIED',
    display_phone_number: number.display_phone_number,
    quality_rating: 'GREEN',
    platform_type: 'CLOUD_API',
    throughput: { level: 'STANDARD' },
    id: number.phone_number_id,
  };
}
