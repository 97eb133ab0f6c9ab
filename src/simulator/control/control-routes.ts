/**
 * The control API: how tests, the command and the phone in the browser steer the network.
 * Bodies and answers are JSON; a refusal is `{error: "what is wrong"}` with 400, 403 or 404.
 *
 * | route                            | what it does                                                    |
 * |----------------------------------|-----------------------------------------------------------------|
 * | POST   /simulator/numbers        | makes a number or changes a known one, answers all its values;  |
 * |                                  | with `verify: true` the callback address must pass verification |
 * | GET    /simulator/numbers        | `{numbers}`                                                     |
 * | DELETE /simulator/numbers/:id    | takes a number off the network, with its chats                  |
 * | POST   /simulator/inbound        | a phone writes to a number, answers `{message_id}`              |
 * | GET    /simulator/messages       | `{messages}` taken and received; ?phone_number_id= &to= &limit= |
 * | GET    /simulator/messages/:id   | one message by its wamid (URL-encoded)                          |
 * | DELETE /simulator/messages       | forgets all messages and the counts of the limits               |
 * | POST   /simulator/behaviour      | turns knobs, for all, a number, a phone; `count`: next N only   |
 * | GET    /simulator/behaviour      | `{behaviours}` in force                                         |
 * | DELETE /simulator/behaviour      | back to normal; ?phone_number_id= &phone= for one rule          |
 * | POST   /simulator/templates      | adds a template or replaces the one of that name and language   |
 * | PATCH  /simulator/templates      | a template's new `status`, told by callback                     |
 * | GET    /simulator/templates      | `{templates}` of ?business_account_id=                          |
 * | GET    /simulator/proof          | `{proof}` that this simulator, and no other program, answers    |
 */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import type { RuleRequest } from '../behaviour.ts';
import { type InboundMessage, receiveInbound } from '../callbacks/inbound.ts';
import { phoneDigits } from '../graph/wa-id.ts';
import type { Network } from '../network.ts';
import { type NumberRequest, putNumber, removeNumber, verifyCallback } from '../numbers.ts';
import { clearMessages } from '../state.ts';
import { putTemplate, setTemplateStatus } from '../templates/templates.ts';
import type { JsonObject, NewTemplate, SimulatedNumber, TemplateStatus } from '../types.ts';
import { ControlError } from './control-error.ts';
import {
  behaviourSchema,
  inboundSchema,
  messagesSchema,
  numberSchema,
  templateSchema,
  templateStatusSchema,
} from './control-schemas.ts';

export function controlRoutes(app: FastifyInstance, network: Network): void {
  const { state, behaviours } = network;

  app.addHook('onRequest', async (request) => {
    // By the route that was found: a path can write its letters as `%73`.
    if (request.routeOptions.url?.startsWith('/simulator')) refuseForeignPages(request.headers);
  });

  app.post<{ Body: NumberRequest & { verify?: boolean } }>(
    '/simulator/numbers',
    { schema: { body: numberSchema } },
    async (request) => {
      const { verify, ...given } = request.body;
      const { callback_url: url } = given;
      if (url && !(/^https?:\/\//.test(url) && URL.canParse(url))) {
        throw new ControlError(400, 'callback_url must be an http or https address');
      }
      const known = state.numbers.get(given.phone_number_id ?? '');
      const nothing = { callback_url: null, verify_token: '', ca: null };
      const problem = verify ? await verifyCallback({ ...nothing, ...known, ...given }) : null;
      if (problem) throw new ControlError(400, `the callback address was not verified: ${problem}`);
      return putNumber(network, given);
    },
  );

  app.get('/simulator/numbers', async () => ({ numbers: [...state.numbers.values()] }));

  app.delete<{ Params: { id: string } }>('/simulator/numbers/:id', async (request) => {
    if (!removeNumber(network, request.params.id)) throw new ControlError(404, 'no such number');
    return { deleted: true };
  });

  app.post<{ Body: Static<typeof inboundSchema> }>(
    '/simulator/inbound',
    { schema: { body: inboundSchema } },
    async (request) => {
      const number = knownNumber(network, request.body.phone_number_id);
      const message = receiveInbound(network, number, readInbound(number, request.body));
      return { message_id: message.wamid };
    },
  );

  app.get<{ Querystring: { phone_number_id?: string; to?: string; limit?: string } }>(
    '/simulator/messages',
    { schema: { querystring: messagesSchema } },
    async (request) => {
      const { phone_number_id: numberId, to } = request.query;
      const phone = to === undefined ? undefined : phoneDigits(to);
      const limit = Number(request.query.limit ?? 1_000);
      const found = [];
      for (const message of state.messages.values()) {
        if (numberId !== undefined && message.phone_number_id !== numberId) continue;
        if (phone !== undefined && message.phone !== phone) continue;
        found.push(message);
      }
      return { total: found.length, messages: found.slice(Math.max(0, found.length - limit)) };
    },
  );

  app.get<{ Params: { id: string } }>('/simulator/messages/:id', async (request) => {
    const message = state.messages.get(request.params.id);
    if (!message) throw new ControlError(404, 'no such message');
    return message;
  });

  app.delete('/simulator/messages', async () => {
    clearMessages(state);
    network.limits.reset();
    return { deleted: true };
  });

  app.post<{ Body: RuleRequest }>(
    '/simulator/behaviour',
    { schema: { body: behaviourSchema } },
    async (request) => {
      const phone = request.body.phone && (phoneDigits(request.body.phone) ?? request.body.phone);
      behaviours.set({ ...request.body, ...(phone && { phone }) });
      return { behaviours: behaviours.list() };
    },
  );

  app.get('/simulator/behaviour', async () => ({ behaviours: behaviours.list() }));

  app.delete<{ Querystring: { phone_number_id?: string; phone?: string } }>(
    '/simulator/behaviour',
    async (request) => {
      const { phone_number_id, phone } = request.query;
      behaviours.reset(phone_number_id, phone && (phoneDigits(phone) ?? phone));
      return { behaviours: behaviours.list() };
    },
  );

  app.post<{ Body: NewTemplate & { business_account_id: string } }>(
    '/simulator/templates',
    { schema: { body: templateSchema } },
    async (request) => {
      const { business_account_id, ...template } = request.body;
      return putTemplate(state, business_account_id, template);
    },
  );

  app.patch<{ Body: Static<typeof templateStatusSchema> }>(
    '/simulator/templates',
    { schema: { body: templateStatusSchema } },
    async (request) => {
      const { business_account_id, name, language, status, reason } = request.body;
      const template = state.templates
        .get(business_account_id)
        ?.find((one) => one.name === name && (language === undefined || one.language === language));
      if (!template) throw new ControlError(404, 'no such template');
      setTemplateStatus(network, template, status as TemplateStatus, reason);
      return template;
    },
  );

  app.get<{ Querystring: { business_account_id?: string } }>(
    '/simulator/templates',
    async (request) => {
      const { business_account_id: account } = request.query;
      const all = [...state.templates.entries()];
      const some = all.filter(([id]) => account === undefined || id === account);
      return { templates: some.flatMap(([, templates]) => templates) };
    },
  );
}

// A page of another site that the operator has open must not steer the network, neither with a
// plain form nor through a name that resolves to this machine.
function refuseForeignPages(headers: { origin?: string; host?: string }): void {
  const name = headers.host?.replace(/:\d+$/, '') ?? '';
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(name)) {
    throw new ControlError(403, 'the control API answers under a loopback name only');
  }
  if (headers.origin && headers.origin !== `http://${headers.host}`) {
    throw new ControlError(403, 'not from another page');
  }
}

function knownNumber(network: Network, id: string): SimulatedNumber {
  const number = network.state.numbers.get(id);
  if (!number) throw new ControlError(404, 'no number has this phone_number_id');
  return number;
}

function readInbound(number: SimulatedNumber, body: Static<typeof inboundSchema>): InboundMessage {
  const from = phoneDigits(body.from);
  if (!from) throw new ControlError(400, 'from must be a phone number');
  const { type = 'text' } = body;
  const given = Object.hasOwn(body, type) ? (body as JsonObject)[type] : undefined;
  const content = type === 'text' && typeof given === 'string' ? { body: given } : given;
  if (content === undefined && type !== 'unsupported') {
    throw new ControlError(400, `the message has no "${type}"`);
  }
  return {
    from,
    type,
    content,
    profile_name: body.profile_name,
    hide_phone: body.hide_phone,
    referral: body.referral,
    errors: body.errors,
    ...(body.context && {
      context: { from: number.display_phone_number.replace(/\D/g, ''), id: body.context },
    }),
  };
}
