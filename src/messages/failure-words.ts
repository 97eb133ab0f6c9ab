import { type BlamedField, meaningOf } from '../whatsapp/errors.ts';

const subjects: Record<BlamedField, string> = {
  phone_number: 'The phone',
  template_name: 'The template',
  media_url: 'The file',
  message: 'The text',
  caption: 'The caption',
  filename: 'The file name',
};

/**
 * What a network's code means, as a sentence for somebody who does not know the codes. Without one
 * the title is all there is: 0 is a code of the network's own.
 */
export function failureWords({ code, title }: { code: number | null; title: string }): string {
  if (code === null) return title;
  const { blame, words } = meaningOf({
    code,
    title,
    fromNetwork: true,
    subcode: undefined,
    details: undefined,
    status: 400,
  });
  return typeof blame === 'object' ? `${subjects[blame.field]} ${words}.` : words;
}
