import type { NewTemplate } from '../types.ts';

/** The templates of a small shop, with several kinds of headers and buttons, statuses and text directions. */
export const defaultTemplates: NewTemplate[] = [
  {
    name: 'hello_world',
    language: 'en_US',
    category: 'UTILITY',
    status: 'APPROVED',
    parameter_format: 'POSITIONAL',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'Hello World' },
      {
        type: 'BODY',
        text: 'Welcome and congratulations!! This message demonstrates your ability to send a message notification from the Cloud API.',
      },
      { type: 'FOOTER', text: 'A sample message' },
    ],
  },
  {
    name: 'order_update',
    language: 'en',
    category: 'UTILITY',
    status: 'APPROVED',
    parameter_format: 'POSITIONAL',
    components: [
      {
        type: 'BODY',
        text: 'Hello {{1}}, your order {{2}} has left our warehouse and should reach you on {{3}}.',
        example: { body_text: [['Amina', '#1042', 'Friday']] },
      },
      { type: 'FOOTER', text: 'Reply to this message for help' },
    ],
  },
  {
    name: 'order_update',
    language: 'ur',
    category: 'UTILITY',
    status: 'APPROVED',
    parameter_format: 'POSITIONAL',
    components: [
      {
        type: 'BODY',
        text: 'السلام علیکم {{1}}، آپ کا آرڈر {{2}} روانہ ہو چکا ہے اور {{3}} تک پہنچ جائے گا۔',
        example: { body_text: [['آمنہ', '#1042', 'جمعہ']] },
      },
    ],
  },
  {
    name: 'spring_offer',
    language: 'en',
    category: 'MARKETING',
    status: 'APPROVED',
    parameter_format: 'POSITIONAL',
    components: [
      {
        type: 'HEADER',
        format: 'IMAGE',
        example: { header_handle: ['https://example.com/a.jpg'] },
      },
      {
        type: 'BODY',
        text: 'Hi {{1}}, the spring collection is here. Use *{{2}}* for 15 % off until Sunday.',
        example: { body_text: [['Amina', 'SPRING15']] },
      },
      { type: 'FOOTER', text: 'Not interested? Tap Stop offers' },
      {
        type: 'BUTTONS',
        buttons: [
          {
            type: 'URL',
            text: 'See the collection',
            url: 'https://shop.example.com/spring/{{1}}',
            example: ['https://shop.example.com/spring/amina'],
          },
          { type: 'QUICK_REPLY', text: 'Stop offers' },
        ],
      },
    ],
  },
  {
    name: 'login_code',
    language: 'en_US',
    category: 'AUTHENTICATION',
    status: 'APPROVED',
    parameter_format: 'POSITIONAL',
    components: [
      {
        type: 'BODY',
        text: '*{{1}}* is your verification code. For your security, do not share this code.',
        add_security_recommendation: true,
        example: { body_text: [['123456']] },
      },
      { type: 'FOOTER', text: 'This code expires in 10 minutes.', code_expiration_minutes: 10 },
      {
        type: 'BUTTONS',
        buttons: [
          {
            // The network lists a code button as a URL that contains the code.
            type: 'URL',
            text: 'Copy code',
            url: 'https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp{{1}}',
            example: ['https://www.whatsapp.com/otp/code/?otp_type=COPY_CODE&code=otp123456'],
          },
        ],
      },
    ],
  },
  {
    name: 'appointment_reminder',
    language: 'en',
    category: 'UTILITY',
    status: 'APPROVED',
    parameter_format: 'NAMED',
    components: [
      { type: 'HEADER', format: 'TEXT', text: 'See you on {{day}}' },
      {
        type: 'BODY',
        text: 'Dear {{customer_name}}, we look forward to your visit on {{day}} at {{time}}.',
      },
      {
        type: 'BUTTONS',
        buttons: [
          { type: 'QUICK_REPLY', text: 'Confirm' },
          { type: 'QUICK_REPLY', text: 'Change the time' },
        ],
      },
    ],
  },
  {
    name: 'invoice_ready',
    language: 'en',
    category: 'UTILITY',
    status: 'APPROVED',
    parameter_format: 'POSITIONAL',
    components: [
      { type: 'HEADER', format: 'DOCUMENT' },
      { type: 'BODY', text: 'Your invoice {{1}} is ready. Thank you for shopping with us.' },
    ],
  },
  {
    name: 'winter_sale',
    language: 'en',
    category: 'MARKETING',
    status: 'PENDING',
    parameter_format: 'POSITIONAL',
    components: [{ type: 'BODY', text: 'Hi {{1}}, our winter sale starts on {{2}}.' }],
  },
  {
    name: 'free_money',
    language: 'en',
    category: 'MARKETING',
    status: 'REJECTED',
    rejected_reason: 'SCAM',
    parameter_format: 'POSITIONAL',
    components: [{ type: 'BODY', text: 'You have won! Answer now to collect your prize.' }],
  },
];
