import { inOrder } from '../../../../../parts/fields/check-group.tsx';
import type { WebhookData, WebhookSettingsData } from '../../../api/records.ts';

/** The values of the form of an endpoint. */
export type EndpointValues = {
  name: string;
  on: boolean;
  url: string;
  events: string[];
  numbers: string[];
  kinds: string[];
  causes: string[];
  ordered: boolean;
  gather_seconds: string;
  headers: string;
  dropHeaders: boolean;
};

/** The values of an endpoint, or those that a new one begins with: every event but the most frequent. */
export function valuesOf(
  webhook: WebhookData | undefined,
  settings: WebhookSettingsData,
): EndpointValues {
  const usual = settings.event_types.filter((type) => type !== 'contact.read');
  return {
    name: webhook?.name ?? '',
    on: webhook?.on ?? true,
    url: webhook?.url ?? '',
    events: inOrder(webhook?.events ?? usual),
    numbers: inOrder(webhook?.numbers ?? []),
    kinds: inOrder(webhook?.kinds ?? []),
    causes: inOrder(webhook?.causes ?? []),
    ordered: webhook?.ordered ?? false,
    gather_seconds: webhook?.gather_seconds?.toString() ?? '',
    headers: '',
    dropHeaders: false,
  };
}

/** The body of a request. Without headers in the form, an endpoint keeps those that it has. */
export function bodyOf({
  name: _,
  gather_seconds: gather,
  headers,
  dropHeaders,
  ...others
}: EndpointValues) {
  const lines = headers.split('\n').filter((line) => line.trim() !== '');
  return {
    ...others,
    gather_seconds: gather.trim() === '' ? null : secondsOf(gather),
    ...((lines.length > 0 || dropHeaders) && { headers: lines.map(headerOf) }),
  };
}

/** Anything but a whole number becomes 0, which the service refuses as it refuses other numbers. */
function secondsOf(text: string): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : 0;
}

function headerOf(line: string): { name: string; value: string } {
  const [name = '', ...rest] = line.split(':');
  return { name, value: rest.join(':') };
}
