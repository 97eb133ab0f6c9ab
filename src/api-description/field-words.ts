type Words = { description: string; example?: unknown };

/**
 * What a field is, and a value that it can have, where its schema does not say so itself. A field is
 * found by the longest end of its path, which begins with a schema's title or an operation's id.
 */
export const fieldWords: Record<string, Words> = {
  id: { description: 'Id of the record, unique in the tenant.', example: 42 },
  name: {
    description: 'Name, unique in the tenant without regard to case.',
    example: 'Newsletter',
  },
  description: { description: 'What it is for; null for nothing.', example: 'Wants the news' },
  color: { description: 'Colour as `#rrggbb`; null for none.', example: '#22c55e' },
  created_at: {
    description: 'When the record was made, UTC.',
    example: '2026-11-21T09:30:00.000Z',
  },
  updated_at: {
    description: 'When the record was last changed, UTC.',
    example: '2026-11-21T10:15:00.000Z',
  },

  firstname: { description: 'First name.', example: 'Ada' },
  lastname: { description: 'Last name; null for none.', example: 'Lovelace' },
  phone: {
    description: 'Phone number with country code and a leading +; no two contacts have the same.',
    example: '+14155550123',
  },
  email: { description: 'Email address; null for none.', example: 'ada@example.com' },
  company: { description: 'Company; null for none.', example: 'Analytical Engines' },
  city: { description: 'City; null for none.', example: 'London' },
  status_id: { description: 'Id of the status of the contact; null for none.', example: 3 },
  source_id: { description: 'Id of the source of the contact; null for none.', example: 2 },
  group_ids: { description: 'Ids of the groups that the contact is in.', example: [1, 7] },
  search: { description: 'Part of a name, phone or email.', example: 'ada' },

  success: { description: 'The request was carried out.' },
  message: { description: 'What was done, in one sentence.', example: 'Done.' },
  data: { description: 'What it was that was deleted.' },
  'data.id': { description: 'Id that the record had.', example: 42 },
  'data.deleted': { description: 'It is gone.' },
  'Error.success': { description: 'The request was not carried out.' },
  'Error.message': {
    description: 'What went wrong, in one sentence.',
    example: 'phone_number is required',
  },
  'Error.errors': {
    description: 'What is wrong by field; empty when no field is at fault.',
    example: { phone_number: ['is required'] },
  },

  page: { description: 'Number of the page, from 1.', example: 1 },
  per_page: { description: 'Records on a page.', example: 25 },
  pagination: { description: 'Where this page is in the whole list.' },
  'pagination.total': { description: 'Records on all pages, exactly.', example: 61 },
  'pagination.total_pages': { description: 'How many pages there are.', example: 3 },

  phone_number: { description: 'The phone that it was sent to.', example: '+14155550123' },
  message_id: {
    description: 'The name that the network gave to the message.',
    example: 'wamid.HBgLMTQxNTU1NTAxMjM=',
  },
  timestamp: {
    description: 'When the status was reached, UTC.',
    example: '2026-11-21T09:30:05.000Z',
  },
  ...Object.fromEntries(
    ['sendText', 'sendMedia', 'sendTemplate'].flatMap((operation): [string, Words][] => [
      [`${operation}.data`, { description: 'The message that the network accepted.' }],
      [`${operation}.data.status`, { description: 'The network has accepted it.' }],
    ]),
  ),
  otp: { description: 'The one-time password, in this answer only.', example: '493817' },
  'getMessageStatus.data': { description: 'The message as far as it has come.' },
  'getMessageStatus.data.status': {
    description: 'The furthest status that it has reached.',
    example: 'delivered',
  },
  'getMessageStatus.data.error': { description: 'Why it failed; only when it did.' },
  'error.code': {
    description: 'The network’s error code; null when it gave none.',
    example: 131026,
  },
  'error.title': { description: 'The error in a few words.', example: 'Message undeliverable' },
  'error.details': {
    description: 'What the network says about it; null when it says nothing.',
    example: 'The phone has no WhatsApp.',
  },
  'SendText.type': { description: 'Free text is all that this path sends.' },
  'SendMedia.type': { description: 'What the file is.', example: 'document' },
  caption: { description: 'Text below the file.', example: 'Your invoice' },
  filename: { description: 'Name of the document.', example: 'invoice-1042.pdf' },
  template_name: { description: 'Name of an approved template.', example: 'order_update' },
  template_language: {
    description: 'Language of the template, as the template has it: `en` and `en_US` are two.',
    example: 'en',
  },
  field_1: { description: 'Value of the placeholder {{1}}.', example: 'Ada' },
  field_2: { description: 'Value of the placeholder {{2}}.', example: '1042' },
  field_3: { description: 'Value of the placeholder {{3}}.', example: 'Friday' },
  'SendTemplate.^field_[0-9]{1,6}$': {
    description: 'Value of the placeholder with that number.',
    example: '10 a.m.',
  },
  auto_generate_otp: { description: 'The service makes the one-time password.', example: true },

  'Template.name': {
    description: 'Used as `template_name` when sending.',
    example: 'order_update',
  },
  language: { description: 'Language code, used as `template_language` when sending.' },
  'Template.status': { description: 'Only approved templates are listed.' },
  category: { description: 'What the network lets the template be used for.' },
  components: {
    description: 'As the network has them.',
    example: [{ type: 'BODY', text: 'Hello {{1}}, order {{2}} is on its way.' }],
  },
  'components.type': { description: 'HEADER, BODY, FOOTER or BUTTONS.' },

  'MessageBot.name': { description: 'What the tenant calls the bot.', example: 'Opening hours' },
  'TemplateBot.name': { description: 'What the tenant calls the bot.', example: 'Order status' },
  active: { description: 'Whether it answers at present.', example: true },
  match: { description: 'How a message is held against the keywords.', example: 'contains' },
  keywords: { description: 'What sets the bot off.', example: ['hours', 'when open'] },
  reply: {
    description: 'The text that it answers; may hold {{firstname}} and the like.',
    example: 'Hi {{firstname|there}}, we are open 9 to 5.',
  },
  'TemplateBot.fields': {
    description: 'Values of the placeholders, in order; may hold {{firstname}} and the like.',
    example: ['{{firstname|friend}}', '{{message}}'],
  },

  'receiveStoreEvent.webhook_id': {
    description: 'The webhook’s id in the shop, which Parley does not need.',
    example: 7,
  },
  event: { description: 'What happened.' },
  record: { description: 'The whole record.' },
  records: { description: 'All that were asked for.' },
};
