import type { Static } from 'typebox';
import { addUnknownContacts } from '../contacts/writing/add-unknown-contacts.ts';
import { noSuchPath } from '../platform/errors/no-such-path.ts';
import { success } from '../platform/http/success.ts';
import { required } from '../platform/http/validation.ts';
import { identityOf, recipientOf } from '../platform/values/phones/recipient.ts';
import { noSuchTemplate } from '../templates/find-sendable-template.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import { presentFailure } from './failure-message.ts';
import { MessageName, ownId } from './message-name.ts';
import { findMessage, findMessageById, type MessageState } from './queries.ts';
import {
  accepted,
  checked,
  MessageStatus,
  SendInteractive,
  SendMedia,
  SendTemplate,
  SendText,
  SentMessage,
  SentTemplate,
} from './schema.ts';
import { fromFaults } from './sending/find-senders.ts';
import { mediaFaults, sendMedia } from './sending/media/send-media.ts';
import { sendContactRequest } from './sending/send-interactive.ts';
import type { Checked, Sent } from './sending/send-message.ts';
import { sendText } from './sending/send-text.ts';
import {
  type SendServices,
  sendTemplate,
  type TemplateDraft,
  templateFaults,
} from './sending/templates/send-template.ts';

const tags = ['Messages'];
const nullIsAbsent = 'An optional field counts as absent if it is null or an empty string.';

/** Registers the routes to send texts, files and templates, and to look up a message (docs/spec.md, section 4.1). */
export function messageRoutes(api: TenantApi, services: SendServices): void {
  const { db } = services;
  api.post(
    '/messages/send',
    {
      config: {
        ability: 'messages:text',
        sends: 'text',
        furtherFaults: ({ caller }, { from }: Partial<Static<typeof SendText>>) =>
          fromFaults(services.numbers, caller.tenantId, from),
      },
      schema: {
        operationId: 'sendText',
        tags,
        summary: 'Send a text message',
        description:
          'The network accepts free text only within 24 hours after the person’s last message. ' +
          `At other times, send a template.\n\n${nullIsAbsent}`,
        body: SendText,
        response: { 200: SentMessage },
      },
    },
    async (request) => {
      const { phone_number, from, reference, dry_run: dryRun, message: text } = request.body;
      const message = { phone: identityOf(phone_number), from, reference, dryRun, text };
      return presentSent(await sendText(services, request.caller, message, request));
    },
  );

  api.post(
    '/messages/interactive',
    {
      config: {
        ability: 'messages:text',
        sends: 'interactive',
        furtherFaults: ({ caller }, { from }: Partial<Static<typeof SendInteractive>>) =>
          fromFaults(services.numbers, caller.tenantId, from),
      },
      schema: {
        operationId: 'sendInteractive',
        tags,
        summary: 'Ask a person for the phone',
        description:
          'For people whose phone WhatsApp hides. The message has a button by which the person shares ' +
          'the phone. Then the contact gets it, and the messages by both identities are one ' +
          'conversation. The network accepts it only within 24 hours after the person’s last message.' +
          `\n\n${nullIsAbsent}`,
        body: SendInteractive,
        response: { 200: SentMessage },
      },
    },
    async (request) => {
      const { phone_number, from, reference, dry_run: dryRun, interactive } = request.body;
      const { text } = interactive.body;
      const message = { phone: identityOf(phone_number), from, reference, text, dryRun };
      return presentSent(await sendContactRequest(services, request.caller, message, request));
    },
  );

  api.post(
    '/messages/media',
    {
      config: {
        ability: 'messages:media',
        sends: 'media',
        furtherFaults: ({ caller }, body: Partial<Static<typeof SendMedia>>) =>
          mediaFaults(services, caller, {
            ...body,
            mediaUrl: body.media_url ?? null,
            mediaId: body.media_id ?? null,
          }),
      },
      schema: {
        operationId: 'sendMedia',
        tags,
        summary: 'Send an image, document, video or audio file',
        description:
          'The file is at a URL (`media_url`), or was uploaded (`media_id`). One at a URL is checked before the ' +
          'send, for up to 10 seconds. It must have a type that the ' +
          'network accepts, and at most 5 MB for an image, 16 MB for video and audio, or 100 MB for ' +
          'a document. Up to ten different files of a tenant are checked at the same time. Further ' +
          `ones wait for up to 30 seconds and are then refused with 429.\n\n${nullIsAbsent}`,
        faults: { phone_number: [required], type: [required], media_url: [required] },
        body: SendMedia,
        response: { 200: SentMessage },
      },
    },
    async (request) => {
      const { phone_number, media_url, media_id, dry_run: dryRun, ...file } = request.body;
      const source = { mediaUrl: media_url ?? null, mediaId: media_id ?? null };
      const message = { phone: identityOf(phone_number), dryRun, ...source, ...file };
      return presentSent(await sendMedia(services, request.caller, message, request));
    },
  );

  // A wildcard, because the network's ids contain base64 and therefore slashes.
  api.get(
    '/messages/*',
    {
      config: {
        ability: ['messages:read', 'messages:text', 'messages:media', 'messages:template'],
        wildcard: 'message_id',
      },
      schema: {
        operationId: 'getMessageStatus',
        tags,
        summary: 'Get the status of a sent message',
        description:
          'By the network’s id, `GET /messages/wamid...`, or by Parley’s, `GET /messages/id:42`. A ' +
          'message whose outcome is unknown, because it is being sent or the network’s response was ' +
          'lost, is only found by Parley’s id. For the whole record, also of a received message, filter ' +
          '`GET /messages` by `message_id`.',
        pathParameters: { message_id: MessageName },
        response: { 200: MessageStatus },
      },
    },
    async (request) => {
      const { '*': name } = request.params as { '*': string };
      const { tenantId } = request.caller;
      const id = ownId(name);
      const message = await (id === undefined
        ? findMessage(request.db, tenantId, name)
        : findMessageById(request.db, tenantId, id));
      if (!message) throw noSuchPath(request.url);
      return success({ data: presentStatus(message) });
    },
  );

  api.post(
    '/messages/template',
    {
      config: {
        ability: 'messages:template',
        sends: 'template',
        // The contact is created when the network's response is stored, and that response was lost.
        whenFoundSent: async ({ caller: { tenantId }, body }) => {
          const { phone_number: phone, contact } = body as Static<typeof SendTemplate>;
          if (!contact || !phone.startsWith('+')) return;
          await addUnknownContacts(db, [{ ...contact, tenantId, phone }]);
        },
        furtherFaults: (request, body: Partial<Static<typeof SendTemplate>>) =>
          templateFaults(services, request.caller, draftOf(body), request),
      },
      schema: {
        operationId: 'sendTemplate',
        tags,
        summary: 'Send a template or a one-time password',
        description:
          'With an authentication template, `auto_generate_otp` generates a one-time password of six ' +
          'digits, sends it and returns it as `data.otp`. To send your own, use `field_1`. With ' +
          '`contact`, a contact is created if none has the phone number.\n\n' +
          '`field_1`, `field_2` and so on fill the numbered placeholders of the text. Named ' +
          'placeholders are filled in the order of their first appearance, header before text. ' +
          'Placeholders of a text header, a button URL or a coupon code take the numbers after ' +
          'those of the text, header first. If the field of a header or URL is missing, `field_1` ' +
          `is used.\n\n${nullIsAbsent}`,
        faults: { template_name: [noSuchTemplate('order_updates')] },
        body: SendTemplate,
        response: { 200: SentTemplate },
      },
    },
    async (request) => {
      const body = request.body;
      const message = {
        ...draftOf(body),
        phone: identityOf(body.phone_number),
        reference: body.reference,
        dryRun: body.dry_run,
        name: body.template_name,
        language: body.template_language,
      };
      return presentSent(await sendTemplate(services, request.caller, message, request));
    },
  );
}

function presentSent(sent: (Sent & { otp?: string }) | Checked) {
  const recipient = { phone_number: recipientOf(sent.phone) };
  const reference = sent.reference === null ? {} : { reference: sent.reference };
  if (sent.status === 'valid') {
    const data = { ...recipient, status: sent.status, ...reference };
    return success({ message: checked, data });
  }
  const data = {
    message_id: sent.messageId,
    ...recipient,
    status: sent.status,
    id: sent.id,
    ...reference,
    ...(sent.otp && { otp: sent.otp }),
  };
  return success({ message: accepted, data });
}

function draftOf(body: Partial<Static<typeof SendTemplate>>): TemplateDraft {
  return {
    phone: body.phone_number && identityOf(body.phone_number),
    contact: body.contact ?? undefined,
    from: body.from,
    name: body.template_name,
    language: body.template_language,
    fields: numberedFields(body),
    headerMediaUrl: body.header_media_url ?? undefined,
    headerMediaId: body.header_media_id ?? undefined,
    headerFilename: body.header_filename ?? undefined,
    generateOtp: body.auto_generate_otp ?? false,
  };
}

/** Reads the values of `field_1`, `field_2` ... by number, including numbers that no template has. */
function numberedFields(body: object): Map<number, string> {
  const fields = new Map<number, string>();
  for (const [name, value] of Object.entries(body)) {
    const [, number] = /^field_(0|[1-9]\d{0,5})$/.exec(name) ?? [];
    if (number && typeof value === 'string') fields.set(Number(number), value);
  }
  return fields;
}

function presentStatus(message: MessageState) {
  // A message that is being sent has no outcome yet either.
  const status = message.status === 'accepting' ? 'unknown' : message.status;
  const reachedAt = status === 'unknown' ? null : message[`${status}_at`];
  return {
    message_id: message.network_id,
    status,
    timestamp: (reachedAt ?? message.created_at).toISOString(),
    id: message.id,
    reference: message.reference,
    ...(status === 'failed' && message.error && { error: presentFailure(message.error) }),
    timeline: timelineOf(message),
  };
}

/** Times of the network are in seconds, so equal ones are in the order of the statuses. */
function timelineOf(message: MessageState) {
  return (['sent', 'failed', 'delivered', 'read'] as const)
    .flatMap((status) => {
      const at = message[`${status}_at`];
      return at ? { status, at } : [];
    })
    .sort((a, b) => a.at.getTime() - b.at.getTime())
    .map(({ status, at }) => ({ status, at: at.toISOString() }));
}
