import type { RequestCounter } from '../../limits/count-request.ts';
import type { NumberFinder } from '../../numbers/find-number.ts';
import { type FieldErrors, invalid } from '../../platform/errors/api-error.ts';
import type { Fault } from '../../platform/errors/fault.ts';
import type { Caller } from '../../tenants/find-caller.ts';
import type { OutgoingContent } from '../../whatsapp/client.ts';
import { addressOf, type CheckedMedia, type MediaChecker, type MediaKind } from './check-media.ts';
import { findSenders, fromFaults } from './find-senders.ts';
import type { Checked, MessageContent, MessageSender, SendRequest, Sent } from './send-message.ts';

export type MediaMessage = {
  phone: string;
  from?: string | null;
  reference?: string | null;
  type: MediaKind;
  mediaUrl: string;
  caption?: string | null;
  filename?: string | null;
  dryRun?: boolean | null | undefined;
};

type MediaServices = { numbers: NumberFinder; checkMedia: MediaChecker };

/**
 * Sends a file by its address, from which the network fetches it. The file is checked first, so that a
 * file that the network would refuse is refused immediately. The request is counted before the check, so that
 * nothing is fetched for a request over the per-minute limit.
 *
 * @throws ApiError 422 on `media_url` if the file cannot be fetched or has a wrong type or size, 429 over the
 *   per-minute limit or if too many files of the tenant are being checked, and the errors of `sendMessage`
 */
export async function sendMedia(
  {
    numbers,
    sendMessage,
    checkMedia,
    countRequest,
  }: MediaServices & { sendMessage: MessageSender; countRequest: RequestCounter },
  caller: Caller,
  { phone, from, reference, dryRun, ...message }: MediaMessage,
  request: SendRequest,
): Promise<Sent | Checked> {
  const url = addressOf(message.mediaUrl);
  await countRequest(caller, request);
  const checked = await checkMedia(caller.tenantId, url, message.type);
  if ('problem' in checked) {
    throw invalid({ ...(await fromFaults(numbers, caller.tenantId, from)), ...faultOf(checked) });
  }
  const senders = await findSenders(numbers, caller.tenantId, from);
  const content = mediaContent({ ...message, mediaUrl: url }, checked.media);
  return sendMessage(caller, { senders, phone, reference, dryRun, ...content }, request);
}

/**
 * Finds the faults of the file and of `from` in a message that is not sent, because other fields of it are not
 * valid.
 */
export async function mediaFaults(
  { numbers, checkMedia }: MediaServices,
  { tenantId }: Caller,
  { from, type, mediaUrl }: Partial<MediaMessage>,
): Promise<FieldErrors> {
  const faults = await fromFaults(numbers, tenantId, from);
  if (type === undefined || mediaUrl === undefined) return faults;
  const checked = await checkMedia(tenantId, addressOf(mediaUrl), type);
  return 'problem' in checked ? { ...faults, ...faultOf(checked) } : faults;
}

/** Builds the content of a message with a file. */
function mediaContent(
  {
    type,
    mediaUrl,
    caption,
    filename,
  }: Omit<MediaMessage, 'phone' | 'from' | 'reference' | 'dryRun'>,
  { mimeType, bytes }: CheckedMedia,
): MessageContent {
  // The network refuses a caption with audio and a file name with anything but a document.
  const texts = {
    ...(caption && type !== 'audio' && { caption }),
    ...(filename && type === 'document' && { filename }),
  };
  return {
    kind: type,
    content: { type, [type]: { link: mediaUrl, ...texts } } as OutgoingContent,
    storedContent: { media_url: mediaUrl, ...texts, mime_type: mimeType, bytes },
  };
}

function faultOf({ problem }: { problem: Fault }): FieldErrors {
  return { media_url: [problem] };
}
