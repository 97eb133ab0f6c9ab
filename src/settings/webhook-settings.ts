import * as parse from './parse-setting.ts';
import { maxWaitMs, setting } from './setting.ts';

export const webhookSettings = {
  webhookScheduleSeconds: setting(
    'PARLEY_WEBHOOK_SCHEDULE',
    '0,5,300,1800,7200,18000,36000,50400,72000,86400',
    'Delay before each attempt of a webhook delivery, comma-separated seconds.',
    parse.seconds,
  ),
  webhookTimeoutMs: setting(
    'PARLEY_WEBHOOK_TIMEOUT_MS',
    '15000',
    'How long a webhook receiver may take to respond, in milliseconds.',
    parse.wholeNumber(1, maxWaitMs),
  ),
  deliveryQuotaWaiting: setting(
    'PARLEY_DELIVERY_QUOTA_WAITING',
    '1000000',
    'How many deliveries of one tenant may wait. Its webhook endpoints share this equally. Beyond its share, contact.read events of an endpoint are dropped; beyond twice as many, it is switched off.',
    parse.wholeNumber(1, 100_000_000),
  ),
  deliveryQuotaMegabytes: setting(
    'PARLEY_DELIVERY_QUOTA_MB',
    '1000',
    'How many MB of events are kept for one tenant, and as many again for `GET /events`. Beyond that, finished deliveries and old events are removed early; if waiting deliveries alone exceed it, the rules of PARLEY_DELIVERY_QUOTA_WAITING apply.',
    parse.wholeNumber(1, 1_000_000),
  ),
};
