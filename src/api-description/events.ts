import { optInEvents } from '../events/event-schemas.ts';
import { doc } from '../platform/http/field-schema.ts';
import {
  type AnyEventType,
  type EventSubject,
  type EventType,
  type EventVerb,
  eventTypes,
  optInEventTypes,
} from '../webhooks/schema.ts';
import { exampleOf, type SchemaWriter } from './write-schema.ts';

/** The schema and the tag of each kind of record that has events. */
const records: Record<EventSubject, { schema: string; tag: string }> = {
  contact: { schema: 'Contact', tag: 'Contacts' },
  status: { schema: 'Status', tag: 'Statuses' },
  source: { schema: 'Source', tag: 'Sources' },
};

const changes: Record<EventVerb, string> = {
  created: 'was created',
  read: 'was read over the API',
  updated: 'was updated',
  deleted: 'was deleted',
};

/** An event as it is described. */
type Described = {
  event: AnyEventType;
  operation: string;
  summary: string;
  tag: string;
  /** The schema of `data`: its title, and a sentence about it. */
  schema: string;
  about: string;
};

/** Describes each webhook event (docs/spec.md, section 6.1, and docs/events.md) as a POST request. */
export function describeEvents(schemas: SchemaWriter): Record<string, object> {
  const described = [...eventTypes.map(describeContractEvent), ...describeOptInEvents(schemas)];
  return Object.fromEntries(
    described.map((each) => [each.event, { post: operationOf(each, schemas) }]),
  );
}

function describeContractEvent(event: EventType): Described {
  const [kind, change] = event.split('.') as [EventSubject, EventVerb];
  const { schema, tag } = records[kind];
  return {
    event,
    operation: `on${schema}${change.replace(/^./, (first) => first.toUpperCase())}`,
    summary: `A ${kind} ${changes[change]}`,
    tag,
    schema,
    about: `The ${kind}${change === 'deleted' ? ' before it was deleted' : ''}.`,
  };
}

function describeOptInEvents(schemas: SchemaWriter): Described[] {
  return optInEventTypes.map((event) => {
    const { schema, summary, name } = optInEvents[event];
    schemas.write(schema);
    const title = (schema as { title?: string }).title!;
    return {
      event,
      operation: `on${name}`,
      summary,
      tag: 'Events',
      schema: title,
      about: aboutOptIn,
    };
  });
}

const aboutOptIn = 'The record as it was when this happened.';

function operationOf(
  { event, operation, summary, tag, schema, about }: Described,
  schemas: SchemaWriter,
) {
  const named = schemas.named();
  const record = named[schema];
  if (!record) throw new Error(`${event}: no schema has the title ${schema}`);
  const isOptIn = tag === 'Events';
  return {
    operationId: operation,
    summary,
    description:
      `Sent to the webhook endpoints of the tenant${isOptIn ? ' that have chosen this event' : ''}, with a ` +
      'Standard Webhooks signature. Respond with 2xx within 15 seconds. Otherwise the event is sent ' +
      'again later, with the same `webhook-id`.',
    tags: [tag],
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: {
            type: 'object',
            required: ['event', 'data'],
            properties: {
              event: { type: 'string', const: event, ...doc('The type of the event.') },
              data: { $ref: `#/components/schemas/${schema}`, ...doc(about) },
            },
          },
          example: { event, data: exampleOf(record, named) },
        },
      },
    },
    responses: {
      '2XX': { description: 'The event was received.' },
      '4XX': { description: 'Sent again later; 410 disables the webhook.' },
    },
  };
}

const parameters = [
  header('webhook-id', 'The same for every attempt; process each id only once.', 'evt_42_mhn3k9c0'),
  header('webhook-timestamp', 'Time of this attempt, in Unix seconds.', '1795253400'),
  header('webhook-signature', 'One or more signatures `v1,...`, separated by spaces.', 'v1,c2ln'),
];

function header(name: string, description: string, example: string): object {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}
