import type { Config } from '../../config.ts';
import type { Db } from '../../platform/database/database.ts';
import { callbackUrl } from '../present-number.ts';
import { findOwnCallback } from './queries.ts';

/**
 * Whose address for callbacks this is.
 * - ours: that of a connected number of the tenant
 * - earlier: that of a number of the tenant that is disconnected, or at another base URL
 * - foreign: that of somebody else
 */
export async function whoseAddress(
  { db, config }: { db: Db; config: Config },
  tenantId: number,
  url: string,
): Promise<'ours' | 'earlier' | 'foreign'> {
  const path = URL.parse(url)?.pathname ?? '';
  const [, callbackId] = /^\/whatsapp\/callbacks\/([\w-]{1,100})$/.exec(path) ?? [];
  const own = callbackId && (await findOwnCallback(db, tenantId, callbackId));
  if (!own) return 'foreign';
  return own.is_connected && url === callbackUrl(config, callbackId) ? 'ours' : 'earlier';
}
