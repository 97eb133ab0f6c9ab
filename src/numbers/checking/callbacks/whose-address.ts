import { type Config, publicUrl } from '../../../config.ts';
import type { Db } from '../../../platform/database/database.ts';
import { callbackUrl } from '../../present-number.ts';
import { findOwnCallback } from '../queries.ts';

/**
 * Finds whether an address for callbacks is ours.
 * - ours: that of a connected number of the tenant
 * - elsewhere: the same at another base URL: an earlier one, or another name of this service
 * - gone: that of a number of the tenant that is disconnected
 * - foreign: that of somebody else
 */
export type Whose = 'ours' | 'elsewhere' | 'gone' | 'foreign';

/**
 * Whether an address is at the base URL of this installation. At another one, it may serve: an installation that was
 * copied has the callback URLs of the original, and a tenant that was imported those of where it was exported.
 */
export function isHere(config: Config, url: string): boolean {
  return url.startsWith(`${publicUrl(config)}/`);
}

/** Finds whose address for callbacks this is. */
export async function whoseAddress(
  { db, config }: { db: Db; config: Config },
  tenantId: number,
  url: string,
): Promise<Whose> {
  const path = URL.parse(url)?.pathname ?? '';
  const [, callbackId] = /^\/whatsapp\/callbacks\/([\w-]{1,100})$/.exec(path) ?? [];
  const own = callbackId && (await findOwnCallback(db, tenantId, callbackId));
  if (!own) return 'foreign';
  if (!own.is_connected) return 'gone';
  return url === callbackUrl(config, callbackId) ? 'ours' : 'elsewhere';
}
