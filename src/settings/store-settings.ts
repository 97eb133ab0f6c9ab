import * as parse from './parse-setting.ts';
import { setting } from './setting.ts';

export const storeSettings = {
  storeRetrySeconds: setting(
    'PARLEY_STORE_SCHEDULE',
    '10,60,600,3600,21600',
    'Delay before each further attempt of a store event that failed, comma-separated seconds.',
    parse.seconds,
  ),
  storeEventsPerSecond: setting(
    'PARLEY_STORE_EVENTS_PER_SECOND',
    '40',
    'How many store events of one tenant a process claims per second; further ones wait.',
    parse.wholeNumber(1, 100_000),
  ),
};
