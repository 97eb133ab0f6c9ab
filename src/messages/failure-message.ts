import { type Fault, fault } from '../platform/errors/fault.ts';
import {
  type FaultyField,
  type GraphError,
  isTransient,
  meaningOf,
  refusalFault,
} from '../whatsapp/errors.ts';
import type { MessageError } from './queries.ts';

/** The error of a message, without the network’s explanation. */
export type Failure = Omit<MessageError, 'details'>;

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
export function failureMessage(error: Failure): string {
  if (error.code === null) return error.title;
  const { atFault, message } = meaningOf(refusalOf(error.code, error));
  return typeof atFault === 'object' ? `${fieldNames[atFault.field]} ${message}.` : message;
}

/** The same explanation as a sentence with its code. */
export function failureSentence(error: Failure): Fault {
  const { code, title } = error;
  if (code === null) {
    return title === notReached.text
      ? notReached
      : fault('network_says', '{words}', { words: title });
  }
  return refusalFault(refusalOf(code, error), failureMessage(error));
}

/** The error of a message that did not reach the network. */
export const notReached = fault('message_not_reached', 'The network could not be reached');

/** Presents the error of a failed message, in the form of the API. */
export function presentFailure(error: MessageError) {
  const { code, title, details } = error;
  const message = failureMessage(error);
  return { code, title, details, message, retryable: isRetryable(error) };
}

/** Whether the same message may succeed later without a change. Without a code, the network was out of reach. */
function isRetryable(error: Failure): boolean {
  return (
    error.code === null || isTransient(error.code, meaningOf(refusalOf(error.code, error)).atFault)
  );
}

/** The error of a message as the refusal that it was. The network's callbacks report no status of a response. */
function refusalOf(
  code: number,
  { title, status = 400, from_network = true }: Failure,
): GraphError {
  const [subcode, details] = [undefined, undefined];
  return { code, title, subcode, details, fromNetwork: from_network, status };
}
