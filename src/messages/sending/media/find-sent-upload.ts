import { findUpload, type Upload } from '../../../media/find-upload.ts';
import { kindOf, type MediaKind, wrongType } from '../../../media/media-kinds.ts';
import type { ConnectedNumber, NumberFinder } from '../../../numbers/find-number.ts';
import { matchesName, nameWithId } from '../../../numbers/number-name.ts';
import type { Db } from '../../../platform/database/database.ts';
import type { FieldErrors } from '../../../platform/errors/api-error.ts';
import { type Fault, fault } from '../../../platform/errors/fault.ts';

/** The uploaded file of a send, with the only number that can send it, or why it cannot be sent. */
export type SentUpload = { mediaId: string } & (
  | { upload: Upload; sender: ConnectedNumber }
  | { problem: Fault }
);

/**
 * Finds the uploaded file that a send names.
 *
 * @param from the number that the send names; it must be that of the upload
 */
export async function findSentUpload(
  { db, numbers }: { db: Db; numbers: NumberFinder },
  tenantId: number,
  mediaId: string,
  from: string | null | undefined,
): Promise<SentUpload> {
  const upload = await findUpload(db, tenantId, mediaId);
  if (!upload) return { mediaId, problem: unknownUpload };
  const senders = await numbers.senders(tenantId);
  const sender = senders.find(({ id }) => id === upload.number_id);
  if (!sender) return { mediaId, problem: numberLost };
  if (matchesName(sender, from)) return { mediaId, upload, sender };
  return {
    mediaId,
    problem: fault(
      'upload_of_other_number',
      'was uploaded for the number {number}; send from it, or upload the file for {from}',
      { number: nameWithId(sender), from: from! },
    ),
  };
}

/** Finds why an uploaded file cannot be sent as a kind of media. */
export function uploadProblem(found: SentUpload, kind: MediaKind): Fault | undefined {
  if ('problem' in found) return found.problem;
  const { mime_type } = found.upload;
  return kindOf(mime_type) === kind ? undefined : wrongType(mime_type, kind);
}

/**
 * Finds the fault of a send that names both a URL and an uploaded file.
 *
 * @param prefix of the names of the fields
 */
export function bothFaults(
  {
    mediaUrl,
    mediaId,
  }: { mediaUrl?: string | null | undefined; mediaId?: string | null | undefined },
  prefix = '',
): FieldErrors {
  if (!mediaUrl || !mediaId) return {};
  const other = `${prefix}media_url`;
  const both = fault('two_files', 'must be absent with {other}: the message has one file', {
    other,
  });
  return { [`${prefix}media_id`]: [both] };
}

const unknownUpload = fault(
  'upload_unknown',
  'is not a file that this tenant uploaded in the last 30 days',
);
const numberLost = fault(
  'upload_of_lost_number',
  'was uploaded for a number that is no longer connected; upload the file again',
);
