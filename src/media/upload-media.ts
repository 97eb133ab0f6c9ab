import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { findSenders } from '../messages/sending/find-senders.ts';
import { networkUnreachable, refusedByNetwork } from '../messages/sending/send-outcome.ts';
import type { NumberFinder } from '../numbers/find-number.ts';
import { recordTokenStatus } from '../numbers/state/report-problem.ts';
import type { Database } from '../platform/database/database.ts';
import { type FieldErrors, invalid } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { required } from '../platform/http/validation.ts';
import type { Log } from '../platform/log.ts';
import { lineFaults, trimName } from '../platform/values/texts/name.ts';
import { unstorableFault } from '../platform/values/texts/text-faults.ts';
import type { NetworkClient } from '../whatsapp/client.ts';
import { checkFile } from './check-file.ts';
import {
  kindOf,
  type MediaKind,
  mediaKinds,
  mediaLimits,
  megabyte,
  wrongType,
} from './media-kinds.ts';
import { type NewUpload, storeUpload } from './queries.ts';
import { type FormFields, type FormFile, maxFormBytes, readForm } from './read-form.ts';

/** The limit of a whole request: the largest file, and the rest of the form. */
export const maxUploadBytes = mediaLimits.document.megabytes * megabyte + maxFormBytes;

const maxNameLength = 240;

type UploadServices = { db: Database; log: Log; network: NetworkClient; numbers: NumberFinder };

export type Uploaded = NewUpload & { id: number; expires_at: Date };

/**
 * Uploads the file of a form to the network while it arrives. Its bytes are checked, counted and hashed on their way,
 * and neither held nor stored.
 *
 * Whether the file was uploaded before is known only by its hash, at the end. So each upload goes to the network, and
 * a file that the tenant has uploaded before keeps its id, which then lives for another 30 days.
 *
 * @throws ApiError 400 or 422 if the form or the file is not valid, 422 if the network refuses the file, 500 if it is
 *   not available
 */
export async function uploadMedia(
  services: UploadServices,
  tenantId: number,
  request: FastifyRequest,
  body: Readable,
): Promise<Uploaded> {
  const pass = (file: FormFile, fields: FormFields) => passOn(services, tenantId, file, fields);
  const { fields, received } = await readForm(request, body, maxUploadBytes, pass);
  const errors: FieldErrors = {
    ...typeFaults(fields),
    ...(!received && { file: [required] }),
    ...(received && fields.get('from') !== received.from && { from: [fromAfterFile] }),
  };
  if (!received || Object.keys(errors).length > 0) throw invalid(errors);
  // The type may come after the file.
  const kind = fields.get('type') as MediaKind;
  const { upload } = received;
  if (kindOf(upload.mime_type) !== kind)
    throw invalid({ file: [wrongType(upload.mime_type, kind)] });
  return { ...upload, ...(await storeUpload(services.db, tenantId, upload)) };
}

async function passOn(
  services: UploadServices,
  tenantId: number,
  { body, filename = '', mimeType }: FormFile,
  fields: FormFields,
): Promise<{ from: string | undefined; upload: NewUpload }> {
  const from = fields.get('from');
  const errors = {
    ...(fields.has('type') && typeFaults(fields)),
    ...nameFaults(filename),
  };
  if (Object.keys(errors).length > 0) throw invalid(errors);
  const [number] = await findSenders(services.numbers, tenantId, from);
  const file = await checkFile(body, mimeType, fields.get('type') as MediaKind | undefined);
  const sent = await services.network.uploadMedia(number, file);
  // Throws if the file itself failed: it is too long, or its sender has disconnected.
  const summary = file.summary();
  if (sent.outcome === 'unreachable') throw networkUnreachable(sent.cause);
  await recordTokenStatus(services, number, sent.outcome === 'refused' ? sent.error : undefined);
  if (sent.outcome === 'refused')
    throw refusedByNetwork(sent.error, { kind: 'upload', fileField: 'file' });
  if (!summary)
    throw networkUnreachable(new Error('the network responded before the end of the file'));
  const upload = {
    number_id: number.id,
    mime_type: file.mimeType,
    ...summary,
    filename: trimName(filename) || null,
    network_id: sent.value,
  };
  return { from, upload };
}

function typeFaults(fields: FormFields): FieldErrors {
  const type = fields.get('type');
  if (!type) return { type: [required] };
  if ((mediaKinds as readonly string[]).includes(type)) return {};
  return {
    type: [fault('not_one_of', 'must be one of {known}', { known: mediaKinds.join(', ') })],
  };
}

function nameFaults(filename: string): FieldErrors {
  const unstorable = unstorableFault(filename);
  const faults = unstorable ? [unstorable] : lineFaults(filename, maxNameLength);
  return faults.length > 0
    ? {
        file: faults.map(({ text }) =>
          fault('file_name', 'has a name that is not valid: {problem}', { problem: text }),
        ),
      }
    : {};
}

const fromAfterFile = fault('from_after_file', 'must come before the file in the form');
