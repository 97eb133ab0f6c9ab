import type {
  BusinessNumber,
  Change,
  Chat,
  PhoneSummary,
  RuleRequest,
} from '../../../src/simulator/types.ts';
import { Problem } from '../../parts/behaviour/problem.ts';
import { phone as t } from '../../texts/phone.ts';

/** The requests of the page to the simulator. Each throws a `Problem` with the simulator's own message. */

export const fetchPhones = () =>
  call<{ phones: PhoneSummary[]; numbers: BusinessNumber[] }>('GET', '/simulator/phones');

export const fetchChats = (phone: string) =>
  call<{ chats: Chat[] }>('GET', `/simulator/phones/${phone}/chats`);

export const addPhone = (phone: string, name: string) =>
  call<{ phone: string }>('POST', '/simulator/phones', { phone, name });

export const switchPhone = (phone: string, on: boolean) =>
  call('PATCH', `/simulator/phones/${phone}`, { on });

export const setPrivacy = (phone: string, privacy: { username: string | null; hidden: boolean }) =>
  call('PATCH', `/simulator/phones/${phone}`, privacy);

export const readChat = (phone: string, numberId: string) =>
  call('POST', `/simulator/phones/${phone}/read`, { phone_number_id: numberId });

export const playMessage = (phone: string, messageId: string) =>
  call('POST', `/simulator/phones/${phone}/play`, { message_id: messageId });

export const fetchBehaviours = () =>
  call<{ behaviours: RuleRequest[] }>('GET', '/simulator/behaviour');

export const addBehaviour = (rule: RuleRequest) => call('POST', '/simulator/behaviour', rule);

export const resetBehaviour = (phone: string) =>
  call('DELETE', `/simulator/behaviour?phone=${phone}`);

export type Limits = Pick<BusinessNumber, 'window' | 'us_marketing' | 'public_links'>;

export const setLimits = (numberId: string, limits: Limits) =>
  call('POST', '/simulator/numbers', { phone_number_id: numberId, limits });

/** Blocks the account of a number, or lets it send again. The network reports this to the account's app. */
export const setBlocked = (numberId: string, isBlocked: boolean) =>
  call('POST', '/simulator/numbers', {
    phone_number_id: numberId,
    health_status: isBlocked ? { can_send_message: 'BLOCKED', entities: [] } : null,
  });

/** A message of any type: its content is under the name of the type, and `context` is the message it quotes. */
export type NewMessage = { type?: string; context?: string; [content: string]: unknown };

export const sendMessage = (phone: string, numberId: string, message: NewMessage) =>
  call('POST', '/simulator/inbound', { phone_number_id: numberId, from: phone, ...message });

/** Sends a file from a phone to a number. */
export async function sendFile(
  phone: string,
  numberId: string,
  file: File,
  parameters: { caption?: string; context?: string; voice?: 'true' },
): Promise<void> {
  const query = new URLSearchParams({
    phone_number_id: numberId,
    filename: file.name,
    ...parameters,
  });
  await request(`/simulator/phones/${phone}/media?${query}`, {
    method: 'POST',
    headers: { 'content-type': file.type || 'application/octet-stream' },
    body: file,
  });
}

/** Subscribes to changes. `onState` is called with whether the simulator is reachable. */
export function follow(
  onChanges: (changes: Change[]) => void,
  onState: (isOnline: boolean) => void,
): void {
  const source = new EventSource('/simulator/events');
  source.onmessage = (event) => onChanges(JSON.parse(event.data));
  source.onopen = () => onState(true);
  source.onerror = () => onState(false);
}

function call<Result>(method: string, path: string, body?: object): Promise<Result> {
  return request(path, {
    method,
    ...(body && {
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    }),
  });
}

async function request<Result>(path: string, init: RequestInit): Promise<Result> {
  const response = await fetch(path, init).catch(() => {
    throw new Problem(0, t('unreachable'));
  });
  const data = await response.json().catch(() => ({}));
  if (!response.ok) throw new Problem(response.status, data.error ?? `HTTP ${response.status}`);
  return data;
}
