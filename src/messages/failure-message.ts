import { type FaultyField, meaningOf } from '../whatsapp/errors.ts';
import type { MessageError } from './queries.ts';

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
  const { fault, message } = meaning(code, title);
  return typeof fault === 'object' ? `${fieldNames[fault.field]} ${message}.` : message;
}

/** Presents the error of a failed message, in the form of the API. */
export function presentFailure(error: MessageError) {
  const { code, title, details } = error;
  const message = failureMessage(error);
  return { code, title, details, message, retryable: isRetryable(error) };
}

/** The network ends a pause of a template automatically. */
const pausedTemplate = 132015;

/**
 * Whether the same message may succeed later without a change: the network was busy or out of reach, or a rate was
 * exceeded.
 */
function isRetryable({ code, title }: MessageError): boolean {
  if (code === null || code === pausedTemplate) return true;
  const { fault } = meaning(code, title);
  return fault === 'network' || fault === 'rate';
}

function meaning(code: number, title: string) {
  const details = { subcode: undefined, details: undefined };
  return meaningOf({ code, title, ...details, fromNetwork: true, status: 400 });
}
