import type { RequestCounter } from '../../limits/count-request.ts';
import { type FieldErrors, invalid } from '../../platform/errors/api-error.ts';
import type { Caller } from '../../tenants/find-caller.ts';
import type { OutgoingContent } from '../../whatsapp/client.ts';
import { addressOf, type CheckedMedia, type MediaChecker, type MediaKind } from './check-media.ts';
import type { MessageContent, MessageSender, SendRequest, Sent } from './send-message.ts';

export type MediaMessage = {
  phone: string;
  type: MediaKind;
  mediaUrl: string;
  caption?: string | null;
  filename?: string | null;
};

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
    sendMessage,
    checkMedia,
    countRequest,
  }: { sendMessage: MessageSender; checkMedia: MediaChecker; countRequest: RequestCounter },
  caller: Caller,
  { phone, ...message }: MediaMessage,
  request: SendRequest,
): Promise<Sent> {
  const url = addressOf(message.mediaUrl);
  await countRequest(caller, request);
  const checked = await checkMedia(caller.tenantId, url, message.type);
  if ('problem' in checked) throw invalid(faultOf(checked));
  const content = mediaContent({ ...message, mediaUrl: url }, checked.media);
  return sendMessage(caller, { phone, ...content }, request);
}

/** Finds the fault of the file in a message that is not sent, because other fields of it are not valid. */
export async function mediaFaults(
  { checkMedia }: { checkMedia: MediaChecker },
  { tenantId }: Caller,
  { type, mediaUrl }: { type: MediaKind | undefined; mediaUrl: string | undefined },
): Promise<FieldErrors> {
  if (type === undefined || mediaUrl === undefined) return {};
  const checked = await checkMedia(tenantId, addressOf(mediaUrl), type);
  return 'problem' in checked ? faultOf(checked) : {};
}

/** Builds the content of a message with a file. */
function mediaContent(
  { type, mediaUrl, caption, filename }: Omit<MediaMessage, 'phone'>,
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

function faultOf({ problem }: { problem: string }): FieldErrors {
  return { media_url: [problem] };
}
