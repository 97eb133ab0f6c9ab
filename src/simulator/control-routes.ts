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
 */
import type { FastifyInstance } from 'fastify';
import { type Static, Type } from 'typebox';
import type { RuleRequest } from './behaviour.ts';
import { ControlError } from './control-error.ts';
import { type InboundMessage, receiveInbound } from './inbound.ts';
import type { Network } from './network.ts';
import { type NumberRequest, putNumber, removeNumber, verifyCallback } from './numbers.ts';
import { clearMessages } from './state.ts';
import { type NewTemplate, putTemplate, setTemplateStatus, templatesOf } from './templates.ts';
import type { JsonObject, SimulatedNumber, TemplateStatus } from './types.ts';
import { phoneDigits } from './wa-id.ts';

export function controlRoutes(app: FastifyInstance, network: Network): void {
  const { state, behaviours } = network;

  app.addHook('onRequest', async (request) => {
    if (request.url.startsWith('/simulator')) refuseForeignPages(request.headers);
  });

  app.post<{ Body: NumberRequest & { verify?: boolean } }>(
    '/simulator/numbers',
    { schema: { body: numberSchema } },
    async (request) => {
      const { verify, ...given } = request.body;
      if (given.callback_url && !/^https?:\/\//.test(given.callback_url)) {
        throw new ControlError(400, 'callback_url must be an http or https address');
      }
      const number = putNumber(network, given);
      const problem = verify ? await verifyCallback(number) : null;
      if (problem) throw new ControlError(400, `the callback address was not verified: ${problem}`);
      return number;
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
      return { total: found.length, messages: found.slice(-limit) };
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
      const template = templatesOf(state, business_account_id).find(
        (one) => one.name === name && (language === undefined || one.language === language),
      );
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
  const given = (body as JsonObject)[type];
  const content = type === 'text' && typeof given === 'string' ? { body: given } : given;
  if (content === undefined && type !== 'unsupported') {
    throw new ControlError(400, `the message has no ${type}`);
  }
  return {
    from,
    type,
    content,
    profile_name: body.profile_name,
    hide_phone: body.hide_phone,
    errors: body.errors,
    ...(body.context && {
      context: { from: number.display_phone_number.replace(/\D/g, ''), id: body.context },
    }),
  };
}

const text = Type.String();
const optionalText = Type.Optional(Type.String());

const numberSchema = Type.Object(
  {
    phone_number_id: Type.Optional(Type.String({ pattern: '^\\d{5,20}$' })),
    business_account_id: Type.Optional(Type.String({ pattern: '^\\d{5,20}$' })),
    display_phone_number: optionalText,
    verified_name: optionalText,
    access_token: optionalText,
    app_secret: optionalText,
    callback_url: Type.Optional(Type.Union([text, Type.Null()])),
    verify_token: optionalText,
    ca: Type.Optional(Type.Union([text, Type.Null()])),
    verify: Type.Optional(Type.Boolean()),
    limits: Type.Optional(
      Type.Object({
        messages_per_second: Type.Optional(Type.Union([Type.Number(), Type.Null()])),
        pair: Type.Optional(Type.Boolean()),
        window: Type.Optional(Type.Boolean()),
      }),
    ),
  },
  { additionalProperties: false },
);

const inboundSchema = Type.Object({
  phone_number_id: text,
  from: text,
  profile_name: optionalText,
  /** Absent: text. The object under the type's own name is passed on as it is. */
  type: optionalText,
  text: Type.Optional(Type.Union([text, Type.Object({ body: text })])),
  /** The wamid that this message answers. */
  context: optionalText,
  hide_phone: Type.Optional(Type.Boolean()),
  errors: Type.Optional(Type.Array(Type.Unknown())),
});

const count = Type.Optional(Type.Union([Type.Integer({ minimum: 0 }), Type.Null()]));
const flag = Type.Optional(Type.Union([Type.Boolean(), Type.Null()]));
const oneOf = (...values: string[]) =>
  Type.Optional(Type.Unsafe<string>({ enum: [...values, null] }));

const behaviourSchema = Type.Object(
  {
    phone_number_id: optionalText,
    phone: optionalText,
    count: Type.Optional(Type.Integer({ minimum: 1 })),
    delayMs: count,
    callbackDelayMs: count,
    stepMs: count,
    duplicate: count,
    disorder: flag,
    batch: count,
    batchAs: oneOf('statuses', 'changes', 'entries'),
    skipDelivered: flag,
    autoRead: flag,
    failWith: count,
    failDetails: Type.Optional(Type.Union([text, Type.Null()])),
    failAs: oneOf('answer', 'callback'),
    status: count,
    lookupStatus: count,
    answer: oneOf('garbage', 'half', 'never', 'drop-after-accept', 'drop'),
    callbacks: flag,
    retryDelaysMs: Type.Optional(Type.Union([Type.Array(Type.Integer()), Type.Null()])),
    nationalWaIds: flag,
    record: flag,
  },
  { additionalProperties: false },
);

const statuses = [
  'APPROVED',
  'PENDING',
  'REJECTED',
  'PAUSED',
  'DISABLED',
  'IN_APPEAL',
  'LIMIT_EXCEEDED',
  'PENDING_DELETION',
  'DELETED',
  'ARCHIVED',
];
const templateStatus = Type.Unsafe<TemplateStatus>({ type: 'string', enum: statuses });

const templateSchema = Type.Object({
  business_account_id: text,
  name: Type.String({ pattern: '^[a-z0-9_]{1,512}$' }),
  language: text,
  category: Type.Unsafe<string>({
    enum: ['AUTHENTICATION', 'MARKETING', 'UTILITY'],
    default: 'UTILITY',
  }),
  status: Type.Unsafe<TemplateStatus>({ type: 'string', enum: statuses, default: 'APPROVED' }),
  parameter_format: Type.Unsafe<string>({ enum: ['POSITIONAL', 'NAMED'], default: 'POSITIONAL' }),
  components: Type.Array(Type.Object({ type: text })),
});

const templateStatusSchema = Type.Object({
  business_account_id: text,
  name: text,
  language: optionalText,
  status: templateStatus,
  reason: optionalText,
});
