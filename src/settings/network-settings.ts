import * as parse from './parse-setting.ts';
import { maxWaitMs, setting } from './setting.ts';

export const networkSettings = {
  networkUrl: setting(
    'PARLEY_NETWORK_URL',
    'https://graph.facebook.com',
    'Base address of the Graph API.',
    parse.url,
  ),
  networkVersion: setting(
    'PARLEY_NETWORK_VERSION',
    'v25.0',
    'Version of the Graph API.',
    parse.graphVersion,
  ),
  networkTimeoutMs: setting(
    'PARLEY_NETWORK_TIMEOUT_MS',
    '20000',
    'How long a send may wait for the network, in milliseconds; after that its outcome is unknown.',
    parse.wholeNumber(1, maxWaitMs),
  ),
  messagesPerSecond: setting(
    'PARLEY_MESSAGES_PER_SECOND',
    '80',
    'Messages per second of a WhatsApp number whose own rate is not known; 0 switches the rate limiter off.',
    parse.wholeNumber(0, 100_000),
  ),
  silenceMinutes: setting(
    'PARLEY_NUMBER_SILENCE_MINUTES',
    '60',
    'How long WhatsApp may send no callback after a number has sent a message, in minutes. After that, the dashboard, `parley doctor` and the metrics report a problem of the number.',
    parse.wholeNumber(1, 1_000_000),
  ),
  simulatorPort: setting(
    'PARLEY_SIMULATOR_PORT',
    '8480',
    'TCP port of the simulator that `parley demo` starts.',
    parse.port,
  ),
  allowPrivateAddresses: setting(
    'PARLEY_ALLOW_PRIVATE_ADDRESSES',
    '',
    'CIDR ranges that outbound HTTP may reach besides public addresses, comma-separated.',
    parse.networks,
  ),
};
