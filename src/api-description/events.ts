import { doc } from '../platform/http/field-schema.ts';
import { type EventSubject, type EventVerb, eventTypes } from '../webhooks/schema.ts';
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

/** Describes each webhook event (docs/spec.md, section 6.1) as a POST request. */
export function describeEvents(schemas: SchemaWriter): Record<string, object> {
  return Object.fromEntries(
    eventTypes.map((event) => {
      const [kind, change] = event.split('.') as [EventSubject, EventVerb];
      const { schema, tag } = records[kind];
      const record = schemas.named()[schema];
      if (!record) throw new Error(`${event}: no schema has the title ${schema}`);
      const operation = {
        operationId: `on${schema}${change.replace(/^./, (first) => first.toUpperCase())}`,
        summary: `A ${kind} ${changes[change]}`,
        description:
          'Sent to the webhook of the tenant, with a Standard Webhooks signature. Respond with 2xx ' +
          'within 15 seconds. Otherwise the event is sent again later, with the same `webhook-id`.',
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
                  data: {
                    $ref: `#/components/schemas/${schema}`,
                    ...doc(`The ${kind}${change === 'deleted' ? ' before it was deleted' : ''}.`),
                  },
                },
              },
              example: { event, data: exampleOf(record) },
            },
          },
        },
        responses: {
          '2XX': { description: 'The event was received.' },
          '4XX': { description: 'Sent again later; 410 disables the webhook.' },
        },
      };
      return [event, { post: operation }];
    }),
  );
}

const parameters = [
  header('webhook-id', 'The same for every attempt; process each id only once.', 'msg_1'),
  header('webhook-timestamp', 'Time of this attempt, in Unix seconds.', '1795253400'),
  header('webhook-signature', 'One or more signatures `v1,...`, separated by spaces.', 'v1,c2ln'),
];

function header(name: string, description: string, example: string): object {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}
