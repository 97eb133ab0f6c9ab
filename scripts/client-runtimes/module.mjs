import * as client from '@parley/client';
import * as events from '@parley/client/events';
import * as media from '@parley/client/media';
import * as webhooks from '@parley/client/webhooks';
import { tryClient } from './try-client.mjs';

await tryClient({ ...client, ...events, ...media, ...webhooks });
