import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { markSeen, startTyping } from '../callbacks/inbound.ts';
import { downloadUrl } from '../media.ts';
import type { Network } from '../network.ts';
import { presentFields } from '../numbers.ts';
import { pickTemplateFields } from '../templates/templates.ts';
import type { JsonObject } from '../types.ts';
import { accountOf, bearer, denied, failLookup, numberOf } from './authorise.ts';
import { GraphError } from './graph-errors.ts';
import { acceptMessage, type Outcome } from './messages/accept-message.ts';
import { validateProduct } from './messages/validate-message.ts';

/** Registers the send routes and the lookup of an id: of a number, an account, a template or a file. */
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
      if (body.typing_indicator) startTyping(network, String(body.message_id));
      return { success: true };
    }
    return sendOutcome(reply, await delayed(acceptMessage(network, number, body)));
  });

  app.post<{ Params: { id: string } }>('/:id/marketing_messages', async (request, reply) => {
    const number = numberOf(network, request);
    const body = (request.body ?? {}) as JsonObject;
    return sendOutcome(reply, await delayed(acceptMessage(network, number, body, 'marketing')));
  });

  app.get<{
    Params: { id: string };
    Querystring: { fields?: string; phone_number_id?: string };
  }>('/:id', async (request) => {
    const { id } = request.params;
    const stored = media.get(id);
    if (stored) {
      const owner = state.numbers.get(stored.phone_number_id);
      const { phone_number_id: named = stored.phone_number_id } = request.query;
      if (named !== stored.phone_number_id || bearer(request) !== owner?.access_token) {
        throw denied(network, request, id);
      }
      failLookup(network, owner);
      return {
        messaging_product: 'whatsapp',
        url: downloadUrl(request.host, stored),
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
      return pickTemplateFields(template, request.query.fields);
    }
    const number = numberOf(network, request);
    failLookup(network, number);
    return presentFields(state, number, request.query.fields);
  });
}

async function delayed(outcome: Outcome): Promise<Outcome> {
  if (outcome.knobs.delayMs) await sleep(outcome.knobs.delayMs);
  return outcome;
}

function sendOutcome(reply: FastifyReply, { knobs, response, error }: Outcome): unknown {
  if (error) throw error;
  if (!response || knobs.answer === 'drop-after-accept') return disconnect(reply);
  if (knobs.answer === 'never') {
    // Stays open until the caller gives up or the simulator closes.
    reply.hijack();
    return reply;
  }
  if (knobs.answer === 'garbage') {
    return reply
      .type('text/html')
      .send('<!doctype html><title>Sorry, something went wrong.</title>');
  }
  if (knobs.answer === 'half') {
    const text = JSON.stringify(response);
    reply.hijack();
    reply.raw.writeHead(200, { 'content-type': 'application/json', 'content-length': text.length });
    reply.raw.write(text.slice(0, text.length / 2), () => reply.raw.destroy());
    return reply;
  }
  return reply.type('application/json; charset=UTF-8').send(response);
}

function disconnect(reply: FastifyReply): FastifyReply {
  reply.hijack();
  reply.raw.destroy();
  return reply;
}
