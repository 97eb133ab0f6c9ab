import { createCursors } from '../../platform/http/cursor.ts';
import type { Vault } from '../../platform/secrets/crypto.ts';

/**
 * Creates the reader and writer of positions in the logs of events. They are valid with any `types`, because the
 * types do not change the order of a log.
 */
export function createEventCursors(vault: Vault) {
  const cursors = createCursors(vault);
  const scopeOf = (tenantId: number) => ({ list: 'events', tenantId, filter: {} });

  return {
    write(tenantId: number, position: number): string {
      return cursors.write(scopeOf(tenantId), { position });
    },

    /** @throws ApiError 422 on `after` */
    read(tenantId: number, cursor: string): number {
      return cursors.read<{ position: number }>(scopeOf(tenantId), cursor).position;
    },
  };
}
