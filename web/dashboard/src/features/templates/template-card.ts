import type { CardBody, MediaType, MessageAction } from '../../../../message/message-view.ts';
import { conversations as t } from '../../../../texts/conversations.ts';

/** The parts of a template message as Parley stores them and its previews return them. */
export type TemplateParts = {
  header?: {
    format: string;
    text?: string;
    media_url?: string;
    media_id?: string;
    filename?: string;
  };
  body?: string;
  footer?: string;
  buttons?: { type: string; text: string; url?: string }[];
};

/** Returns the card that draws the parts. The file of the header is loaded from `mediaUrl`, if given. */
export function cardOf(
  { header, body, footer }: TemplateParts,
  mediaUrl?: { url: string; missing: string },
): CardBody {
  return { kind: 'card', header: header && headerOf(header, mediaUrl), text: body, footer };
}

export function buttonsOf({ buttons = [] }: TemplateParts): MessageAction[] {
  return buttons.map(({ type, text, url }, index) => {
    const kind = type.toUpperCase();
    // The code itself is not stored. The network lists a code button also as a URL that contains the code.
    const isCode = kind === 'COPY_CODE' || kind === 'OTP' || url?.includes('otp_type=');
    if (isCode) return { kind: 'copy', text };
    if (kind === 'PHONE_NUMBER') return { kind: 'call', text };
    // WhatsApp writes its text in the language of the phone.
    if (kind === 'REQUEST_CONTACT_INFO') {
      return { kind: 'reply', text: text || t('sharePhone'), key: String(index) };
    }
    if (kind === 'QUICK_REPLY') return { kind: 'reply', text, key: String(index) };
    // A placeholder that has no value yet makes no address.
    return url && !url.includes('{{') ? { kind: 'link', text, url } : { kind: 'leave', text };
  });
}

function headerOf(
  {
    format,
    text = '',
    media_url: original,
    media_id: uploaded,
    filename: name,
  }: NonNullable<TemplateParts['header']>,
  mediaUrl: { url: string; missing: string } | undefined,
): CardBody['header'] {
  if (format === 'TEXT') return { title: text };
  if (format === 'LOCATION') return { place: {} };
  const type = format.toLowerCase() as MediaType;
  return { media: { type, name, original, ...((original || uploaded) && mediaUrl) } };
}
