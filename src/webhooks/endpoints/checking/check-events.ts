import { invalid } from '../../../platform/errors/api-error.ts';
import { fault } from '../../../platform/errors/fault.ts';
import {
  type EventChoice,
  type EventSelector,
  eventSelectors,
  eventTypes,
  isEventSelector,
} from '../../schema.ts';

/**
 * Reads a choice of events, by name or family. All events of the contract and no others are the default choice.
 *
 * @throws ApiError 422 on `events`, which lists the events and families that exist
 */
export function checkEvents(events: string[]): EventChoice {
  const unknown = events.filter((event) => !isEventSelector(event));
  if (unknown.length > 0) {
    throw invalid({
      events: unknown.map((event) =>
        fault('not_an_event', 'must not have "{event}". The events are {known}', {
          event,
          known: eventSelectors.join(', '),
        }),
      ),
    });
  }
  if (events.length === 0)
    throw invalid({ events: [fault('no_event', 'must have at least one event')] });
  const chosen = eventSelectors.filter((each) => events.includes(each));
  return chosen.join() === eventTypes.join() ? null : chosen;
}

const inboundSelectors: EventSelector[] = [
  'message.received',
  'message.received_batch',
  'message.*',
];

/**
 * Checks that messages are gathered exactly if that has an effect: batches need `gather_seconds`, and
 * `gather_seconds` needs an event of inbound messages.
 *
 * @throws ApiError 422 on `events` or `gather_seconds`
 */
export function checkGathering(events: EventChoice, gatherSeconds: number | null): void {
  const chosen = events ?? [];
  if (gatherSeconds === null && chosen.includes('message.received_batch')) {
    throw invalid({
      gather_seconds: [
        fault('batches_need_gathering', 'must be given with the event message.received_batch'),
      ],
    });
  }
  if (gatherSeconds !== null && !inboundSelectors.some((each) => chosen.includes(each))) {
    throw invalid({
      events: [
        fault('gathering_needs_inbound', 'must have {event}, because gather_seconds is given', {
          event: 'message.received',
        }),
      ],
    });
  }
}
