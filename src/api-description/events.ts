import { type FurtherEvent, furtherEvents } from '../events/event-schemas.ts';
import { doc } from '../platform/http/field-schema.ts';
import {
  type EventSubject,
  type EventType,
  type EventVerb,
  eventTypes,
  testEvent,
} from '../webhooks/schema.ts';
import { exampleOf, type Schema, type SchemaWriter } from './write-schema.ts';

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
  event: EventType | FurtherEvent;
  /** Its name in the names of the operation and of the schema. */
  name: string;
  summary: string;
  tag: string;
  /** The schema of `data`: its title, and a sentence about it. */
  schema: string;
  about: string;
  /** Which endpoints receive it. */
  endpoints: string;
};

/**
 * Describes each webhook event (docs/spec.md, section 6.1, and docs/events.md) as a POST request, and all of them
 * as the component `WebhookEvent`, because many generators skip the requests.
 */
export function describeEvents(schemas: SchemaWriter): Record<string, object> {
  const described = [
    ...eventTypes.map(describeContractEvent),
    ...(Object.keys(furtherEvents) as FurtherEvent[]).map((event) =>
      describeFurtherEvent(event, schemas),
    ),
  ];
  const bodies = described.map((each) => writeBody(each, schemas));
  schemas.write({
    title: 'WebhookEvent',
    oneOf: bodies,
    discriminator: {
      propertyName: 'event',
      mapping: Object.fromEntries(described.map(({ event }, at) => [event, bodies[at]!.$ref])),
    },
  });
  const named = schemas.named();
  return Object.fromEntries(
    described.map((each, at) => [each.event, { post: operationOf(each, bodies[at]!, named) }]),
  );
}

function describeContractEvent(event: EventType): Described {
  const [kind, change] = event.split('.') as [EventSubject, EventVerb];
  const { schema, tag } = records[kind];
  return {
    event,
    name: `${schema}${change.replace(/^./, (first) => first.toUpperCase())}`,
    summary: `A ${kind} ${changes[change]}`,
    tag,
    schema,
    about: `The ${kind}${change === 'deleted' ? ' before it was deleted' : ''}.`,
    endpoints: 'the webhook endpoints of the tenant',
  };
}

function describeFurtherEvent(event: FurtherEvent, schemas: SchemaWriter): Described {
  const { schema, summary, name, about, endpoints } = furtherEvents[event];
  schemas.write(schema);
  return {
    event,
    name,
    summary,
    tag: 'Events',
    schema: (schema as { title?: string }).title!,
    about: about ?? 'The record as it was when this happened.',
    endpoints: endpoints ?? 'the webhook endpoints of the tenant that have chosen this event',
  };
}

function writeBody({ event, name, schema, about }: Described, schemas: SchemaWriter): Schema {
  return schemas.write({
    title: `${name}Webhook`,
    type: 'object',
    required: ['event', 'data'],
    properties: {
      event: { type: 'string', const: event, ...doc('The type of the event.') },
      data: { $ref: `#/components/schemas/${schema}`, ...doc(about) },
    },
  });
}

function operationOf(each: Described, body: Schema, named: Record<string, Schema>) {
  return {
    operationId: `on${each.name}`,
    summary: each.summary,
    description:
      `Sent to ${each.endpoints}, with a Standard Webhooks signature. Respond with 2xx within 15 ` +
      'seconds, also to an event that you do not know, because later versions may add some. ' +
      `Otherwise the event is ${each.event === testEvent ? 'not sent again' : retried}.`,
    tags: [each.tag],
    security: [],
    parameters,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: body, example: exampleOf(body, named) } },
    },
    responses: {
      '2XX': { description: 'The event was received.' },
      '4XX': { description: 'The event was not received. 410 disables the webhook.' },
    },
  };
}

const retried = 'sent again later, with the same `webhook-id`';
const parameters = [
  header('webhook-id', 'The same for every attempt; process each id only once.', 'evt_42_mhn3k9c0'),
  header('webhook-timestamp', 'Time of this attempt, in Unix seconds.', '1795253400'),
  header('webhook-signature', 'One or more signatures `v1,...`, separated by spaces.', 'v1,c2ln'),
];

function header(name: string, description: string, example: string): object {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}
