import { startStatuses } from '../../callbacks/message-statuses.ts';
import { newSecret, newWamid } from '../../ids.ts';
import type { Knobs } from '../../knobs.ts';
import type { Network } from '../../network.ts';
import { isBlocked } from '../../numbers.ts';
import { phoneOfUser, recordMessage, type SimulatorState } from '../../state.ts';
import { templatesOf } from '../../templates/templates.ts';
import type { ChatMessage, JsonObject, SimulatedNumber, StatusError } from '../../types.ts';
import { requireScope } from '../authorise.ts';
import { GraphError, isReportedLater, statusError } from '../graph-errors.ts';
import { hasTo, isToUser } from './is-to-user.ts';
import { type Endpoint, priceCategory } from './marketing.ts';
import { mediaError, reactionError, usMarketingError } from './undeliverable.ts';
import { validateMessage, validateProduct } from './validate-message.ts';
import { validateTemplate } from './validate-template.ts';
import { nationalWaId, phoneDigits } from './wa-id.ts';

const windowMs = 24 * 60 * 60 * 1000;

/** The outcome of a send: a response or an error, and the knobs that apply to it. */
export type Outcome = {
  knobs: Knobs;
  response?: JsonObject;
  error?: GraphError;
};

/** Accepts or rejects a message from a business, and starts the statuses of an accepted one. */
export function acceptMessage(
  network: Network,
  number: SimulatedNumber,
  body: unknown,
  endpoint: Endpoint = 'all',
): Outcome {
  const digits = recipientDigits(network, body as JsonObject | null);
  const knobs = network.behaviours.take(number.phone_number_id, digits ?? '');
  try {
    if (knobs.status) throw GraphError.ofStatus(knobs.status, knobs.failWith);
    if (knobs.answer === 'drop') return { knobs };
    return { knobs, response: accept(network, number, body, { digits, knobs, endpoint }) };
  } catch (error) {
    if (error instanceof GraphError) return { knobs, error };
    throw error;
  }
}

function accept(
  network: Network,
  number: SimulatedNumber,
  body: unknown,
  { digits, knobs, endpoint }: { digits: string | null; knobs: Knobs; endpoint: Endpoint },
): JsonObject {
  requireScope(number, 'whatsapp_business_messaging');
  if (isBlocked(number)) throw GraphError.of(131031);
  if (number.registration.status !== 'CONNECTED') throw GraphError.of(133010);
  validateProduct(body);
  const phone = recipientOf(number, body, digits, knobs);
  const hasMedia = (id: string) =>
    network.media.get(id)?.phone_number_id === number.phone_number_id;
  const type = validateMessage(body, hasMedia);
  const filled =
    type === 'template'
      ? validateTemplate(body, templatesOf(network.state, number.business_account_id), hasMedia)
      : null;
  if (isToUser(body) && filled?.template.category === 'AUTHENTICATION') throw GraphError.of(131062);
  const category = priceCategory(number, body, filled?.template, endpoint);
  const now = Date.now();
  const limit = network.limits.check(number, phone, now);
  if (limit) throw GraphError.of(limit);
  const failsLater = knobs.failWith !== undefined && isReportedByCallback(knobs, knobs.failWith);
  if (knobs.failWith !== undefined && !failsLater) {
    throw GraphError.of(knobs.failWith, knobs.failDetails);
  }

  const message: ChatMessage = {
    wamid: newWamid(phone),
    direction: 'outbound',
    phone_number_id: number.phone_number_id,
    phone,
    at: now,
    type,
    payload: body,
    status: 'accepted',
    statuses: [{ status: 'accepted', at: now }],
    ...(filled && { rendered: filled.rendered, category }),
    ...priceOf(knobs),
  };
  const error = failsLater
    ? statusError(knobs.failWith ?? 0, knobs.failDetails)
    : undeliverable(network, number, message, knobs);
  if (error) message.error = error;
  if (knobs.record !== false) recordMessage(network.state, message);
  startStatuses(network, message, knobs);
  return {
    messaging_product: 'whatsapp',
    contacts: isToUser(body)
      ? [{ input: body.recipient, user_id: body.recipient }]
      : [{ input: String(body.to), wa_id: phone }],
    messages: [
      { id: message.wamid, ...(filled && { message_status: knobs.messageStatus ?? 'accepted' }) },
    ],
  };
}

/** Finds the phone of a send by `to`, which wins, or by the user id in `recipient`. */
function recipientDigits({ state }: Network, body: JsonObject | null): string | null {
  if (body && isToUser(body)) return phoneOfUser(state, String(body.recipient))?.phone ?? null;
  const to = body?.to;
  return typeof to === 'string' || typeof to === 'number' ? phoneDigits(String(to)) : null;
}

function recipientOf(
  number: SimulatedNumber,
  body: JsonObject,
  digits: string | null,
  knobs: Knobs,
): string {
  if (isToUser(body)) {
    // The network's code for a user id of another portfolio is not known.
    if (digits === null) throw GraphError.of(131026);
    return digits;
  }
  if (!hasTo(body)) throw GraphError.parameter('The parameter to is required.');
  if (digits === null) {
    throw GraphError.of(
      131009,
      'The phone number is malformed: Please use the format: +1234567890.',
    );
  }
  if (digits === number.display_phone_number.replace(/\D/g, '')) throw GraphError.of(131021);
  return knobs.nationalWaIds ? nationalWaId(digits) : digits;
}

function isReportedByCallback(knobs: Knobs, code: number): boolean {
  return knobs.failAs === undefined ? isReportedLater(code) : knobs.failAs === 'callback';
}

function priceOf({
  pricingType: type,
  pricingCategory: category,
}: Knobs): Pick<ChatMessage, 'price'> {
  if (!type && !category) return {};
  const conversation = type === 'free_entry_point' ? newSecret(16) : undefined;
  return { price: { type, category, conversation } };
}

/** Finds the error with which an accepted message fails. */
function undeliverable(
  { state, media }: Network,
  number: SimulatedNumber,
  message: ChatMessage,
  { record }: Knobs,
): StatusError | undefined {
  const { type, phone, category, payload } = message;
  if (type !== 'template' && outsideWindow(state, number, phone, message.at)) {
    return statusError(131047);
  }
  // Without a history, nothing can be said about the message.
  if (type === 'reaction' && record !== false) {
    return reactionError(state.messages, number, phone, payload);
  }
  return usMarketingError(number, category, phone) ?? mediaError(number, media, message);
}

function outsideWindow(
  { chats }: SimulatorState,
  number: SimulatedNumber,
  phone: string,
  now: number,
): boolean {
  if (!number.limits.window) return false;
  const last = chats.get(`${number.phone_number_id}:${phone}`)?.last_inbound_at;
  return last === undefined || last === null || now - last > windowMs;
}
