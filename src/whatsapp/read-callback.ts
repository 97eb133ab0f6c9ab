import { type Json, list, record } from './json.ts';

/** A status of one outbound message as the network reports it. */
export type StatusReport = {
  networkId: string;
  status: 'sent' | 'delivered' | 'read' | 'failed';
  at: Date;
  /** What we sent as `biz_opaque_callback_data`. */
  reference: string | undefined;
  error: { code: number; title: string; details: string | null } | undefined;
};

/** What one callback says about one phone number. */
export type NumberReport = { phoneNumberId: string; statuses: StatusReport[] };

/**
 * Reads a callback body of object `whatsapp_business_account`. Entries, changes and statuses that
 * are of no known shape are left out: one odd update must not lose its hundreds of neighbours,
 * nor make the network repeat them for days.
 */
export function readCallback(body: unknown): NumberReport[] {
  const reports = new Map<string, NumberReport>();
  for (const entry of list(record(body)?.entry)) {
    for (const change of list(record(entry)?.changes)) {
      const value = record(record(change)?.value);
      const phoneNumberId = record(value?.metadata)?.phone_number_id;
      if (!value || typeof phoneNumberId !== 'string') continue;
      const report = reports.get(phoneNumberId) ?? { phoneNumberId, statuses: [] };
      reports.set(phoneNumberId, report);
      for (const status of list(value.statuses)) {
        const read = readStatus(record(status));
        if (read) report.statuses.push(read);
      }
    }
  }
  return [...reports.values()];
}

const statusNames: Record<string, StatusReport['status']> = {
  sent: 'sent',
  delivered: 'delivered',
  read: 'read',
  // A voice message that was played has been read.
  played: 'read',
  failed: 'failed',
};

function readStatus(status: Json | undefined): StatusReport | undefined {
  const name = statusNames[String(status?.status)];
  const seconds = Number(status?.timestamp);
  if (!status || !name || !isNetworkId(status.id) || !(seconds > 0 && seconds < 1e11)) {
    return undefined;
  }
  const reference = status.biz_opaque_callback_data;
  return {
    networkId: status.id,
    status: name,
    at: new Date(seconds * 1000),
    reference: typeof reference === 'string' ? reference : undefined,
    error: name === 'failed' ? readError(record(list(status.errors)[0])) : undefined,
  };
}

function readError(error: Json | undefined): StatusReport['error'] {
  const details = record(error?.error_data)?.details;
  return {
    code: typeof error?.code === 'number' ? error.code : 0,
    title:
      typeof error?.title === 'string' ? storable(error.title) : 'Failed for an unknown reason',
    details: typeof details === 'string' ? storable(details) : null,
  };
}

/** `wamid.` and base64, in all that was ever seen; at least it is visible ASCII. */
function isNetworkId(value: unknown): value is string {
  return typeof value === 'string' && /^[\x21-\x7e]{1,512}$/.test(value);
}

/** PostgreSQL takes neither NUL nor half of a surrogate pair in text. */
function storable(text: string): string {
  return text.replaceAll('\0', '').toWellFormed();
}
