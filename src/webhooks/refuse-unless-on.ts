import type { Db } from '../platform/database/database.ts';
import { ApiError, notFound } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { findWebhook } from './queries.ts';

/** @throws ApiError 404 if the tenant has no webhook, 422 while it is off */
export async function refuseUnlessOn(db: Db, tenantId: number): Promise<void> {
  const webhook = await findWebhook(db, tenantId);
  if (!webhook) throw notFound();
  if (webhook.off_since) {
    throw new ApiError('invalid', {
      message: fault('webhook_off', 'The webhook is off. Switch it on first.'),
    });
  }
}
