import { invalid } from '../../platform/errors/api-error.ts';
import { fault } from '../../platform/errors/fault.ts';

/** Writes a position in the log of a tenant. It says nothing to clients. */
export function writeCursor(tenantId: number, position: number): string {
  return Buffer.from(`${tenantId}.${position}`).toString('base64url');
}

/** @throws ApiError 422 if the text is no cursor, or one of another tenant */
export function readCursor(tenantId: number, text: string): number {
  const [, tenant, position] =
    /^(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString('latin1')) ?? [];
  if (Number(tenant) !== tenantId || writeCursor(tenantId, Number(position)) !== text) {
    throw invalid({
      after: [fault('not_a_cursor', 'must be the `next` of an earlier response to this request')],
    });
  }
  return Number(position);
}
