import type { WordList } from './words.ts';

const phone_number = '+14155550123';
const message_id = 'wamid.HBgLMTQxNTU1NTAxMjM=';
const answer = {
  success: true,
  message: 'The network accepted the message.',
  data: { message_id, phone_number, status: 'sent', id: 42 },
};
const success = 'The network accepted the message. What became of it later is told by its status.';
const tag = 'Messages';
const nullIsAbsent =
  'An optional field that is null counts as absent, and so does an optional string that is empty.';

export const messages: WordList = {
  'POST /api/{tenant}/messages/send': {
    operationId: 'sendText',
    tag,
    summary: 'Send a text message',
    description:
      'The network takes free text only within 24 hours after the person last wrote to you; ' +
      'outside them, send a template.',
    request: { phone_number, type: 'text', message: 'Your order is on its way.' },
    success,
    answer,
  },
  'POST /api/{tenant}/messages/media': {
    operationId: 'sendMedia',
    tag,
    summary: 'Send an image, document, video or audio file',
    description:
      'The file is looked at before it is sent: it must be of a type that the network takes, and ' +
      'at most 5 MB for an image, 16 MB for video and audio, 100 MB for a document. This ' +
      'takes up to 10 seconds. At most ten different files of a tenant are fetched at the same time; ' +
      'further ones wait for up to 30 seconds, and are then refused with 429.\n\n' +
      nullIsAbsent,
    request: {
      phone_number,
      type: 'document',
      media_url: 'https://files.example.com/invoice.pdf',
      caption: 'Your invoice',
      filename: 'invoice-1042.pdf',
    },
    success,
    answer,
  },
  'POST /api/{tenant}/messages/template': {
    operationId: 'sendTemplate',
    tag,
    summary: 'Send a template, or a one-time password',
    description:
      'With an authentication template, `auto_generate_otp` makes a one-time password of six ' +
      'digits, sends it, and answers it as `data.otp`; or give a code of your own as `field_1`. ' +
      'With `contact`, a contact is created when none has the phone.\n\n' +
      '`field_1`, `field_2` and so on fill the placeholders of the text by their numbers; those with ' +
      'names in the order in which they first appear, header before text. A placeholder in a text ' +
      'header, in the address of a button or for a coupon code takes the next number after those of ' +
      'the text, header first; in a header or an address `field_1` stands in where that field is ' +
      'missing.\n\n' +
      nullIsAbsent,
    request: [
      {
        name: 'template',
        summary: 'A template with three placeholders',
        value: {
          phone_number,
          template_name: 'order_update',
          template_language: 'en',
          field_1: 'Ada',
          field_2: '#1042',
          field_3: 'Friday',
        },
      },
      {
        name: 'otp',
        summary: 'A one-time password that the service makes',
        value: {
          phone_number,
          template_name: 'login_code',
          template_language: 'en_US',
          auto_generate_otp: true,
        },
      },
      {
        name: 'own_otp',
        summary: 'A one-time password of your own',
        value: {
          phone_number,
          template_name: 'login_code',
          template_language: 'en_US',
          field_1: '493817',
        },
      },
      {
        name: 'otp_and_contact',
        summary: 'A one-time password, and the contact it goes to',
        value: {
          phone_number,
          template_name: 'login_code',
          template_language: 'en_US',
          auto_generate_otp: true,
          contact: { firstname: 'Ada', lastname: 'Lovelace', email: 'ada@example.com' },
        },
      },
    ],
    success,
    answer: { ...answer, data: { ...answer.data, otp: '493817' } },
    faults: { template_name: ['is not a template of this account: "order_updates"'] },
  },
  'GET /api/{tenant}/messages/{message_id}': {
    operationId: 'getMessageStatus',
    tag,
    summary: 'Ask what became of a message',
    description:
      'By the network’s id, `GET /messages/wamid...`, or by ours, `GET /messages/id:42`. A message ' +
      'whose outcome is not known, because it is being sent or because the network’s response was ' +
      'lost, is found by our id only. Its status is `unknown` until the network reports another one.',
    success: 'The furthest status that the message has reached, and when.',
    answer: {
      success: true,
      data: { message_id, status: 'delivered', timestamp: '2026-11-21T09:30:05.000Z', id: 42 },
    },
  },
};
