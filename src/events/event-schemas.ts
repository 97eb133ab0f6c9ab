import { type TObject, Type } from 'typebox';
import { MessageRecord } from '../messages/record/record-schema.ts';
import { doc, Nullable, Time } from '../platform/http/field-schema.ts';
import { type OptInEventType, testEvent } from '../webhooks/schema.ts';

const sequence = Type.Integer(doc('Number of the event within its conversation, from 1.', 3));

const MessageEvent = Type.Object(
  { ...MessageRecord.properties, sequence },
  {
    title: 'MessageEvent',
    'x-shape': { title: 'MessageEvent', allOf: [MessageRecord, Type.Object({ sequence })] },
  },
);

const MessageBatch = Type.Object(
  { messages: Type.Array(MessageEvent, doc('The messages, oldest first.')) },
  { title: 'MessageBatch' },
);

const TemplateChange = Type.Object(
  {
    id: Type.Integer(doc('Id of the template, unique in the tenant.', 42)),
    name: Type.String(doc('Name of the template.', 'order_update')),
    language: Type.String(doc('Language of the template.', 'en')),
    category: Type.String(doc('Category of the template.', 'UTILITY')),
    business_account_id: Type.String(doc('The account of the template.', '102290129340398')),
    status: Type.String(doc('The status of the network.', 'PAUSED')),
    previous_status: Type.String(doc('The status before.', 'APPROVED')),
  },
  { title: 'TemplateChange' },
);

const state = (description: string, example: string) =>
  Type.Unsafe<'works' | 'not_verified' | 'does_not_work'>({
    type: 'string',
    enum: ['works', 'not_verified', 'does_not_work'],
    ...doc(description, example),
  });

const NumberChange = Type.Object(
  {
    phone_number_id: Type.String(doc('The network’s id of the number.', '106540352242922')),
    display_phone_number: Nullable('string', doc('Its phone, or null.', '+1 555 010 0200')),
    state: state('Whether the number works.', 'does_not_work'),
    previous_state: state('The state before.', 'works'),
    problem: Nullable('string', doc('What is wrong, or null.', 'The access token has expired.')),
  },
  { title: 'NumberChange' },
);

const TestData = Type.Object(
  {
    message: Type.String(doc('A text for people.', 'This is a test. Nothing has changed.')),
    sent_at: Time('When the test was requested, in UTC.'),
  },
  { title: 'TestData' },
);

/** An event that is not of the contract. */
export type FurtherEvent = OptInEventType | typeof testEvent;

/** The schema of `data` of each of them, and the sentence about the event. */
export const furtherEvents: Record<
  FurtherEvent,
  { schema: TObject; summary: string; name: string; about?: string; endpoints?: string }
> = {
  'message.received': { schema: MessageEvent, summary: 'A person wrote', name: 'MessageReceived' },
  'message.received_batch': {
    schema: MessageBatch,
    summary: 'A person wrote several messages within seconds',
    name: 'MessageReceivedBatch',
  },
  'message.sent': { schema: MessageEvent, summary: 'A message was sent', name: 'MessageSent' },
  'message.delivered': {
    schema: MessageEvent,
    summary: 'A message was delivered',
    name: 'MessageDelivered',
  },
  'message.read': { schema: MessageEvent, summary: 'A message was read', name: 'MessageRead' },
  'message.failed': { schema: MessageEvent, summary: 'A message failed', name: 'MessageFailed' },
  'template.status_changed': {
    schema: TemplateChange,
    summary: 'The status of a template changed',
    name: 'TemplateStatusChanged',
  },
  'number.state_changed': {
    schema: NumberChange,
    summary: 'The state of a number changed',
    name: 'NumberStateChanged',
  },
  [testEvent]: {
    schema: TestData,
    summary: 'Somebody tests the webhook',
    name: 'Test',
    about: 'Nothing has changed.',
    endpoints: 'a webhook endpoint when somebody requests a test',
  },
};
