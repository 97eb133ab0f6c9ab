import * as parse from './parse-setting.ts';
import { setting } from './setting.ts';

/** A century. PostgreSQL cannot go back further than the year -4713. */
export const maxDaysKept = 36_500;

export const retentionSettings = {
  messageRetentionDays: setting(
    'PARLEY_MESSAGE_RETENTION_DAYS',
    '0',
    'How long messages are kept, in days; 0 for as long as their contact. Events, their deliveries and logged API requests are kept no longer. A tenant can have a shorter time: `parley tenant set-message-retention`, or the page Numbers of its dashboard.',
    parse.wholeNumber(0, maxDaysKept),
  ),
  deliveryRetentionDays: setting(
    'PARLEY_DELIVERY_RETENTION_DAYS',
    '30',
    'How long webhook deliveries and their attempts are kept, in days.',
    parse.wholeNumber(1, maxDaysKept),
  ),
  contactReadRetentionDays: setting(
    'PARLEY_CONTACT_READ_RETENTION_DAYS',
    '1',
    'How long contact.read events that were delivered are kept, in days.',
    parse.wholeNumber(1, maxDaysKept),
  ),
  eventRetentionDays: setting(
    'PARLEY_EVENT_RETENTION_DAYS',
    '7',
    'How long the events that `GET /events` returns are kept, in days, if messages are not kept for a shorter time.',
    parse.wholeNumber(1, maxDaysKept),
  ),
  storeEventRetentionDays: setting(
    'PARLEY_STORE_EVENT_RETENTION_DAYS',
    '30',
    'How long the posts of stores are kept, in days.',
    parse.wholeNumber(1, maxDaysKept),
  ),
  auditRetentionDays: setting(
    'PARLEY_AUDIT_RETENTION_DAYS',
    '400',
    'How long the audit log of each tenant is kept, in days.',
    parse.wholeNumber(1, maxDaysKept),
  ),
  botAnswerRetentionDays: setting(
    'PARLEY_BOT_ANSWER_RETENTION_DAYS',
    '30',
    'How long the log of replies by bots is kept, in days.',
    parse.wholeNumber(1, maxDaysKept),
  ),
};
