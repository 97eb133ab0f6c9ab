import { type FaultyField, meaningOf } from '../whatsapp/errors.ts';

const fieldNames: Record<FaultyField, string> = {
  phone_number: 'The phone',
  template_name: 'The template',
  media_url: 'The file',
  message: 'The text',
  caption: 'The caption',
  filename: 'The file name',
};

/**
 * Explains a network error in a sentence for people who do not know its codes. Without a code it returns
 * the title; 0 is one of the network's codes.
 */
export function failureMessage({ code, title }: { code: number | null; title: string }): string {
  if (code === null) return title;
  const { fault, message } = meaningOf({
    code,
    title,
    fromNetwork: true,
    subcode: undefined,
    details: undefined,
    status: 400,
  });
  return typeof fault === 'object' ? `${fieldNames[fault.field]} ${message}.` : message;
}
