/**
 * The control API, with which tests, the command and the phone in the browser control the network.
 * Bodies and responses are JSON. An error is `{error: "what is wrong"}` with 400, 403 or 404.
 *
 * | route                            | what it does                                                    |
 * |----------------------------------|-----------------------------------------------------------------|
 * | POST   /simulator/numbers        | creates or changes a number, and returns all its values;        |
 * |                                  | with `verify: true` the callback URL must pass verification;    |
 * |                                  | a callback URL also subscribes the app, as if done by hand;     |
 * |                                  | a `health_status` applies to all numbers of the account and is  |
 * |                                  | reported as account_update; one that is BLOCKED refuses sends;  |
 * |                                  | `quality_rating` and `messaging_limit` are shown to its owner   |
 * | GET    /simulator/numbers        | `{numbers}`                                                     |
 * | DELETE /simulator/numbers/:id    | removes a number and its chats                                  |
 * | POST   /simulator/inbound        | sends a message from a phone to a number, returns `{message_id}`|
 * | POST   /simulator/changes        | reports any other change of a number or its account, such as    |
 * |                                  | history, user_preferences and account_update: `{field, value}`  |
 * | GET    /simulator/messages       | `{messages}` in and out; ?phone_number_id= &to= &limit=         |
 * | GET    /simulator/messages/:id   | one message by its wamid (URL-encoded)                          |
 * | DELETE /simulator/messages       | deletes all messages and resets the rate limits                 |
 * | POST   /simulator/behaviour      | sets knobs for all, a number or a phone; `count`: next N only   |
 * | GET    /simulator/behaviour      | `{behaviours}` in effect                                        |
 * | DELETE /simulator/behaviour      | resets all, or one rule with ?phone_number_id= &phone=          |
 * | POST   /simulator/templates      | adds a template, or replaces that name and language; reports a  |
 * |                                  | new one, and a changed category or text                         |
 * | PATCH  /simulator/templates      | changes a template's `status` and reports it by callback        |
 * | GET    /simulator/templates      | `{templates}`; ?business_account_id=                            |
 * | GET    /simulator/proof          | `{proof}` that this simulator and no other program responds     |
 */
import type { FastifyInstance } from 'fastify';
import type { Static } from 'typebox';
import { contextOf, type InboundMessage, receiveInbound } from '../callbacks/inbound.ts';
import { phoneDigits } from '../graph/messages/wa-id.ts';
import type { RuleRequest } from '../knobs.ts';
import type { Network } from '../network.ts';
import { type NumberRequest, putNumber, removeNumber, verifyCallback } from '../numbers.ts';
import { clearMessages } from '../state.ts';
import { definitionProblem } from '../templates/definition-problem.ts';
import { publishTemplate, setTemplateStatus } from '../templates/templates.ts';
import type { JsonObject, NewTemplate, SimulatedNumber, TemplateStatus } from '../types.ts';
import { ControlError } from './control-error.ts';
import {
  behaviourSchema,
  changeSchema,
  inboundSchema,
  messagesSchema,
  numberSchema,
  templateSchema,
  templateStatusSchema,
} from './control-schemas.ts';
import { requireNumber } from './require-known.ts';

/** As long as the longest callback of the network. */
const maxChangeBytes = 4 * 1024 * 1024;

export function controlRoutes(app: FastifyInstance, network: Network): void {
  const { state, behaviours } = network;

  app.addHook('onRequest', async (request) => {
    // Checks the matched route, because a path can encode its letters, as `%73`.
    if (request.routeOptions.url?.startsWith('/simulator')) rejectForeignPages(request.headers);
  });

  app.post<{ Body: NumberRequest & { verify?: boolean } }>(
    '/simulator/numbers',
    { schema: { body: numberSchema } },
    async (request) => {
      const { verify, ...given } = request.body;
      const { callback_url: url } = given;
      if (url && !(/^https?:\/\//.test(url) && URL.canParse(url))) {
        throw new ControlError(400, 'callback_url must be an http or https URL');
      }
      const known = state.numbers.get(given.phone_number_id ?? '');
      const defaults = { callback_url: null, verify_token: '', ca: null };
      const problem = verify ? await verifyCallback({ ...defaults, ...known, ...given }) : null;
      if (problem) throw new ControlError(400, `callback_url could not be verified: ${problem}`);
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
      const number = requireNumber(network, request.body.phone_number_id);
      const message = receiveInbound(network, number, readInbound(network, number, request.body));
      return { message_id: message.wamid };
    },
  );

  app.post<{ Body: Static<typeof changeSchema> }>(
    '/simulator/changes',
    { schema: { body: changeSchema }, bodyLimit: maxChangeBytes },
    async ({ body: { phone_number_id, field, value } }) => {
      requireNumber(network, phone_number_id);
      const content = value as JsonObject;
      network.outbox.add({ phone_number_id, kind: 'change', field, content }, {});
      return { reported: true };
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
      const problem = definitionProblem(template);
      if (problem) throw new ControlError(400, problem);
      return publishTemplate(network, business_account_id, template);
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
      const selected = all.filter(([id]) => account === undefined || id === account);
      return { templates: selected.flatMap(([, templates]) => templates) };
    },
  );
}

// A page of another site in the operator's browser must not control the network, neither with a
// plain form nor through a host name that resolves to this machine.
function rejectForeignPages(headers: { origin?: string; host?: string }): void {
  const name = headers.host?.replace(/:\d+$/, '') ?? '';
  if (!/^(localhost|127(\.\d+){3}|\[::1\])$/.test(name)) {
    throw new ControlError(403, 'use the control API with a loopback host name, such as localhost');
  }
  if (headers.origin && headers.origin !== `http://${headers.host}`) {
    throw new ControlError(403, 'requests from pages of other sites are not allowed');
  }
}

function readInbound(
  network: Network,
  number: SimulatedNumber,
  body: Static<typeof inboundSchema>,
): InboundMessage {
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
      context:
        typeof body.context === 'string' ? contextOf(network, number, body.context) : body.context,
    }),
  };
}
