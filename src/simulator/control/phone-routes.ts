/**
 * The routes that a page with the phones needs besides the control API.
 *
 * | route                               | what it does                                              |
 * |-------------------------------------|-----------------------------------------------------------|
 * | GET   /simulator/phones             | `{phones, numbers}`, each phone with its unread count and |
 * |                                     | its last message                                          |
 * | POST  /simulator/phones             | adds or renames a phone: `{phone, name?}`                 |
 * | PATCH /simulator/phones/:phone      | switches it on or off: `{on}`; sets or removes its        |
 * |                                     | `username`, and hides the phone of one: `{hidden}`        |
 * | POST  /simulator/phones/:phone/user-id | gives it a new user id, and reports the change to      |
 * |                                     | {phone_number_id}                                         |
 * | GET   /simulator/phones/:phone/chats| `{chats}` with their last messages                        |
 * | POST  /simulator/phones/:phone/read | reads the chat with `{phone_number_id}`                   |
 * | POST  /simulator/phones/:phone/play | plays the voice message `{message_id}`; returns `{played}`|
 * | POST  /simulator/phones/:phone/media| sends a file (raw body) from the phone to                 |
 * |                                     | ?phone_number_id= &filename= &caption=, as a reply to     |
 * |                                     | &context= (a wamid), as a voice message with &voice=true; |
 * |                                     | returns `{message_id}`                                    |
 * | GET   /simulator/media/:id          | a file that was sent or uploaded                          |
 * | POST  /simulator/media/:id/forget   | the network forgets the file now, and not after some days |
 * | GET   /simulator/events             | server-sent events: lists of `{kind, ...}`                |
 */
import type { FastifyInstance } from 'fastify';
import { changeUserId } from '../callbacks/inbound.ts';
import { playMessage, readChat, switchPhone } from '../callbacks/message-statuses.ts';
import { phoneDigits } from '../graph/messages/wa-id.ts';
import type { Network } from '../network.ts';
import { isBlocked } from '../numbers.ts';
import { emitChange, phoneOf } from '../state.ts';
import type { Phone } from '../types.ts';
import { ControlError } from './control-error.ts';
import { fileRoute } from './file-route.ts';
import { streamChanges } from './phone-events.ts';
import { summaryOf } from './phone-summary.ts';
import { requireNumber, requirePhone } from './require-known.ts';

const maxMessagesShown = 200;

type ByPhone = { Params: { phone: string } };

export function phoneRoutes(app: FastifyInstance, network: Network): void {
  const { state, media } = network;

  app.get('/simulator/phones', async () => ({
    phones: [...state.phones.values()].map((phone) => summaryOf(network, phone)),
    numbers: [...state.numbers.values()].map((number) => ({
      phone_number_id: number.phone_number_id,
      display_phone_number: number.display_phone_number,
      verified_name: number.verified_name,
      window: number.limits.window,
      us_marketing: number.limits.us_marketing,
      public_links: number.limits.public_links,
      blocked: isBlocked(number),
    })),
  }));

  app.post<{ Body: { phone?: unknown; name?: unknown } | null }>(
    '/simulator/phones',
    async (request) => {
      const { phone: input, name } = request.body ?? {};
      const digits = typeof input === 'string' ? phoneDigits(input) : null;
      if (!digits) throw new ControlError(400, 'phone must be a phone number with country code');
      const phone = phoneOf(state, digits);
      if (typeof name === 'string' && name.trim() !== '') phone.name = name.trim().slice(0, 100);
      emitChange(state, 'phone', phone);
      return phone;
    },
  );

  app.patch<ByPhone & { Body: { on?: unknown; username?: unknown; hidden?: unknown } | null }>(
    '/simulator/phones/:phone',
    async (request) => {
      const phone = requirePhone(network, request.params.phone);
      const { on, username, hidden } = request.body ?? {};
      if ((on ?? username ?? hidden) === undefined && username !== null) {
        throw new ControlError(400, 'one of on, username and hidden is required');
      }
      if (on !== undefined && typeof on !== 'boolean') {
        throw new ControlError(400, 'on must be true or false');
      }
      setUsername(phone, username, hidden);
      emitChange(state, 'phone', phone);
      if (on !== undefined) switchPhone(network, phone.phone, on);
      return phone;
    },
  );

  app.post<ByPhone & { Body: { phone_number_id?: string } | null }>(
    '/simulator/phones/:phone/user-id',
    async (request) => {
      const phone = requirePhone(network, request.params.phone);
      const number = requireNumber(network, request.body?.phone_number_id ?? '');
      const previous = changeUserId(network, phone, number.phone_number_id);
      return { previous, current: phone.user_id };
    },
  );

  app.get<ByPhone>('/simulator/phones/:phone/chats', async (request) => {
    const { phone } = requirePhone(network, request.params.phone);
    const chats = [];
    for (const number of state.numbers.values()) {
      const chat = state.chats.get(`${number.phone_number_id}:${phone}`);
      if (chat) chats.push({ ...chat, messages: chat.messages.slice(-maxMessagesShown) });
    }
    return { chats };
  });

  app.post<ByPhone & { Body: { phone_number_id?: string } | null }>(
    '/simulator/phones/:phone/read',
    async (request) => {
      const { phone } = requirePhone(network, request.params.phone);
      return { read: readChat(network, request.body?.phone_number_id ?? '', phone) };
    },
  );

  app.post<ByPhone & { Body: { message_id?: string } | null }>(
    '/simulator/phones/:phone/play',
    async (request) => {
      const { phone } = requirePhone(network, request.params.phone);
      return { played: playMessage(network, phone, request.body?.message_id ?? '') };
    },
  );

  app.get<{ Params: { id: string } }>('/simulator/media/:id', async (request, reply) => {
    const stored = media.onPhone(request.params.id);
    const bytes = stored && media.bytes(stored.id);
    if (!stored || !bytes) throw new ControlError(404, 'no such file');
    return reply
      .headers({
        'content-security-policy': "default-src 'none'; sandbox",
        'referrer-policy': 'no-referrer',
      })
      .type(stored.mime_type)
      .send(bytes);
  });

  app.post<{ Params: { id: string } }>('/simulator/media/:id/forget', async (request) => {
    media.forget(request.params.id);
    return { forgotten: request.params.id };
  });

  app.get('/simulator/events', (request, reply) => {
    streamChanges(network, request, reply);
  });

  app.register(async (scope) => fileRoute(scope, network));
}

function setUsername(phone: Phone, username: unknown, hidden: unknown): void {
  if (username !== undefined) {
    if (
      username !== null &&
      !(typeof username === 'string' && /^[a-z0-9._]{3,35}$/.test(username))
    ) {
      throw new ControlError(400, 'username must have 3 to 35 of a-z, 0-9, . and _, or be null');
    }
    phone.username = username as string | null;
  }
  if (hidden !== undefined) {
    if (typeof hidden !== 'boolean') throw new ControlError(400, 'hidden must be true or false');
    if (hidden && phone.username === null) {
      throw new ControlError(400, 'only a person with a username can hide the phone');
    }
    phone.hidden = hidden;
  }
  if (phone.username === null) phone.hidden = false;
}
