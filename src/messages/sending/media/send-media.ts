import type { RequestCounter } from '../../../limits/count-request.ts';
import type { MediaKind } from '../../../media/media-kinds.ts';
import type { ConnectedNumber, NumberFinder } from '../../../numbers/find-number.ts';
import type { Db } from '../../../platform/database/database.ts';
import { type FieldErrors, hasFaults, invalid } from '../../../platform/errors/api-error.ts';
import { required } from '../../../platform/http/validation.ts';
import type { Caller } from '../../../tenants/api/find-caller.ts';
import type { MediaSource, OutgoingContent } from '../../../whatsapp/client.ts';
import { findSenders, fromFaults, type Senders } from '../find-senders.ts';
import type { Checked, MessageContent, MessageSender, SendRequest, Sent } from '../send-message.ts';
import { addressOf, type MediaChecker } from './check-media.ts';
import { bothFaults, findSentUpload, uploadProblem } from './find-sent-upload.ts';

export type MediaMessage = {
  phone: string;
  from?: string | null;
  reference?: string | null;
  type: MediaKind;
  /** Exactly one of both. */
  mediaUrl?: string | null;
  mediaId?: string | null;
  caption?: string | null;
  filename?: string | null;
  dryRun?: boolean | null | undefined;
};

type MediaServices = { db: Db; numbers: NumberFinder; checkMedia: MediaChecker };

/** A file that can be sent, or the faults of its fields. `sender` is set if only this number can send it. */
type ReadyFile =
  | {
      source: MediaSource;
      stored: { media_url: string } | { media_id: string };
      mimeType: string;
      bytes: number;
      filename?: string | null;
      sender?: ConnectedNumber;
    }
  | { errors: FieldErrors };

/**
 * Sends a file by its address, from which the network fetches it, or by the id of an upload. The file is checked
 * first, so that a file that the network would refuse is refused immediately. The request is counted before the check,
 * so that nothing is fetched for a request over the per-minute limit.
 *
 * @throws ApiError 422 on `media_url` if the file cannot be fetched or has a wrong type or size, or on `media_id` if
 *   the
 *   upload cannot be sent, 429 over the per-minute limit or if too many files of the tenant are being checked, and
 *   the errors of `sendMessage`
 */
export async function sendMedia(
  services: MediaServices & { sendMessage: MessageSender; countRequest: RequestCounter },
  caller: Caller,
  { phone, from, reference, dryRun, ...message }: MediaMessage,
  request: SendRequest,
): Promise<Sent | Checked> {
  const { numbers, sendMessage, countRequest } = services;
  await countRequest(caller, request);
  const file = await findFile(services, caller, { ...message, from });
  if ('errors' in file) {
    throw invalid({ ...(await fromFaults(numbers, caller.tenantId, from)), ...file.errors });
  }
  const senders: Senders = file.sender
    ? [file.sender]
    : await findSenders(numbers, caller.tenantId, from);
  const content = mediaContent(message, file);
  return sendMessage(caller, { senders, phone, reference, dryRun, ...content }, request);
}

/**
 * Finds the faults of the file and of `from` in a message that is not sent, because other fields of it are not
 * valid.
 */
export async function mediaFaults(
  services: MediaServices,
  caller: Caller,
  { type, ...message }: Partial<MediaMessage>,
): Promise<FieldErrors> {
  const faults = await fromFaults(services.numbers, caller.tenantId, message.from);
  if (type === undefined) return { ...faults, ...sourceFaults(message) };
  const file = await findFile(services, caller, { ...message, type });
  return 'errors' in file ? { ...faults, ...file.errors } : faults;
}

async function findFile(
  services: MediaServices,
  { tenantId }: Caller,
  { from, type, mediaUrl, mediaId }: Pick<MediaMessage, 'from' | 'type' | 'mediaUrl' | 'mediaId'>,
): Promise<ReadyFile> {
  const errors = sourceFaults({ mediaUrl, mediaId });
  if (hasFaults({ errors })) return { errors };
  if (mediaId) {
    const found = await findSentUpload(services, tenantId, mediaId, from);
    const problem = uploadProblem(found, type);
    if (problem || 'problem' in found) return { errors: { media_id: [problem!] } };
    const { network_id: id, mime_type, size, filename } = found.upload;
    const stored = { media_id: id };
    const { sender } = found;
    return { source: { id }, stored, mimeType: mime_type, bytes: size, filename, sender };
  }
  const link = addressOf(mediaUrl!);
  const checked = await services.checkMedia(tenantId, link, type);
  if ('problem' in checked) return { errors: { media_url: [checked.problem] } };
  return { source: { link }, stored: { media_url: link }, ...checked.media };
}

/** Finds why a message does not have exactly one file. */
function sourceFaults(source: Pick<MediaMessage, 'mediaUrl' | 'mediaId'>): FieldErrors {
  return source.mediaUrl || source.mediaId ? bothFaults(source) : { media_url: [required] };
}

/** Builds the content of a message with a file. */
function mediaContent(
  { type, caption, filename }: Pick<MediaMessage, 'type' | 'caption' | 'filename'>,
  file: Exclude<ReadyFile, { errors: FieldErrors }>,
): MessageContent {
  const name = filename || file.filename;
  // The network refuses a caption with audio and a file name with anything but a document.
  const texts = {
    ...(caption && type !== 'audio' && { caption }),
    ...(name && type === 'document' && { filename: name }),
  };
  return {
    kind: type,
    ...('id' in file.source && { fileField: 'media_id' }),
    content: { type, [type]: { ...file.source, ...texts } } as OutgoingContent,
    storedContent: { ...file.stored, ...texts, mime_type: file.mimeType, bytes: file.bytes },
  };
}
