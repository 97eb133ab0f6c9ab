const client = require('@parley/client');
const events = require('@parley/client/events');
const media = require('@parley/client/media');
const webhooks = require('@parley/client/webhooks');

import('./try-client.mjs').then(({ tryClient }) =>
  tryClient({ ...client, ...events, ...media, ...webhooks }),
);
