import type { Db } from '../platform/database/database.ts';
import { ApiError, notFound } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import type { Endpoint } from './endpoint-key.ts';
import { findWebhook } from './queries.ts';

/** @throws ApiError 404 if there is no such endpoint, 422 while it is off */
export async function refuseUnlessOn(db: Db, endpoint: Endpoint): Promise<void> {
  const webhook = await findWebhook(db, endpoint);
  if (!webhook) throw notFound();
  if (webhook.off_since) {
    throw new ApiError('invalid', {
      message: fault('webhook_off', 'The webhook is off. Switch it on first.'),
    });
  }
}
