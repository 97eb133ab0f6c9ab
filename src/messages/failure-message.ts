import { type Fault, fault } from '../platform/errors/fault.ts';
import { type FaultyField, firstCodeWith, meaningOf } from '../whatsapp/errors.ts';
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
  const { fault: cause, message } = meaning(code, title);
  return typeof cause === 'object' ? `${fieldNames[cause.field]} ${message}.` : message;
}

/** The same explanation as a sentence with its code. */
export function failureSentence(error: { code: number | null; title: string }): Fault {
  const { code, title } = error;
  if (code === null) {
    return title === notReached.text
      ? notReached
      : fault('network_says', '{words}', { words: title });
  }
  const sentence = fault('message_failed', '', { network: keyOf(code, title), words: title });
  return { ...sentence, text: failureMessage(error) };
}

/** The error of a message that did not reach the network. */
export const notReached = fault('message_not_reached', 'The network could not be reached');

/** The key of an explanation: the first code of the network that has it, or the field of a parameter. */
function keyOf(code: number, title: string): string {
  const { fault: cause, message } = meaning(code, title);
  const key = firstCodeWith(message);
  if (key !== undefined) return key;
  return typeof cause === 'object' ? `100_${cause.field}` : 'other';
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
  const { fault: cause } = meaning(code, title);
  return cause === 'network' || cause === 'rate';
}

function meaning(code: number, title: string) {
  const details = { subcode: undefined, details: undefined };
  return meaningOf({ code, title, ...details, fromNetwork: true, status: 400 });
}
