import { type FieldErrors, invalid } from '../../errors.ts';
import type { RequestCounter } from '../../limits/count-request.ts';
import type { Caller } from '../../tenants/find-caller.ts';
import type { OutgoingContent } from '../../whatsapp/client.ts';
import { addressOf, type MediaChecker, type MediaKind } from './check-media.ts';
import type { Account, MessageSender, Sent } from './send-message.ts';

export type MediaMessage = {
  phone_number: string;
  type: MediaKind;
  media_url: string;
  caption?: string | null;
  filename?: string | null;
};

/**
 * Sends a file by its address, which the network fetches itself; checked first, so that a file that
 * the network would not take is refused at once and not later. The request is counted before that, so
 * that one beyond its minute has nothing fetched.
 *
 * @throws ApiError 422 on `media_url` when the file does not answer, or has a wrong type or size, 429
 *   over the minute or when too many files of the tenant are being checked, and what `sendMessage`
 *   throws
 */
export async function sendMedia(
  services: { sendMessage: MessageSender; checkMedia: MediaChecker; countRequest: RequestCounter },
  caller: Caller,
  message: MediaMessage,
  account: Account,
): Promise<Sent> {
  const { sendMessage, checkMedia, countRequest } = services;
  const { phone_number: phone, type, caption, filename } = message;
  const url = addressOf(message.media_url);
  await countRequest(caller, account);
  const checked = await checkMedia(caller.tenantId, url, type);
  if ('problem' in checked) throw invalid(faultOf(checked));
  // The network refuses a caption with audio and a file name with anything but a document.
  const words = {
    ...(caption && type !== 'audio' && { caption }),
    ...(filename && type === 'document' && { filename }),
  };
  const { mimeType, bytes } = checked.media;
  return sendMessage(
    caller,
    {
      phone,
      kind: type,
      content: { type, [type]: { link: url, ...words } } as OutgoingContent,
      kept: { media_url: url, ...words, mime_type: mimeType, bytes },
    },
    account,
  );
}

/** The fault of the file of a message that is not sent, because other fields of it are not valid. */
export async function mediaFaults(
  checkMedia: MediaChecker,
  tenantId: number,
  { type, media_url: url }: Partial<MediaMessage>,
): Promise<FieldErrors> {
  if (type === undefined || url === undefined) return {};
  const checked = await checkMedia(tenantId, addressOf(url), type);
  return 'problem' in checked ? faultOf(checked) : {};
}

function faultOf({ problem }: { problem: string }): FieldErrors {
  return { media_url: [problem] };
}
