import { meaningOf } from '../whatsapp/errors.ts';

const subjects = {
  phone_number: 'The phone',
  template_name: 'The template',
  media_url: 'The file',
};

/** What a network's code means, as a sentence for somebody who does not know the codes. */
export function failureWords(error: { code: number; title: string }): string {
  const { blame, words } = meaningOf({
    ...error,
    fromNetwork: true,
    subcode: undefined,
    details: undefined,
    status: 400,
  });
  return typeof blame === 'object' ? `${subjects[blame.field]} ${words}.` : words;
}
