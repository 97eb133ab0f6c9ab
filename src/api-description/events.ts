import { eventTypes } from '../webhooks/schema.ts';
import { contactExample } from './operations/contacts.ts';
import { labelExamples } from './operations/labels.ts';
import type { SchemaWriter } from './write-schema.ts';

const subjects = {
  contact: { schema: 'Contact', tag: 'Contacts', example: contactExample },
  status: { schema: 'Status', tag: 'Statuses', example: labelExamples.status },
  source: { schema: 'Source', tag: 'Sources', example: labelExamples.source },
};

const moments: Record<string, string> = {
  created: 'was added',
  read: 'was read over the API',
  updated: 'was changed',
  deleted: 'was removed; its last state',
};

/** The events that a tenant's webhook is told (spec, section 6.1), each as the post it arrives in. */
export function describeEvents(schemas: SchemaWriter): Record<string, object> {
  return Object.fromEntries(
    eventTypes.map((type) => {
      const [subject, moment] = type.split('.') as [keyof typeof subjects, string];
      const { schema, tag, example } = subjects[subject];
      if (!schemas.named()[schema]) throw new Error(`${type}: no schema has the title ${schema}`);
      const operation = {
        operationId: `on${schema}${moment.replace(/^./, (first) => first.toUpperCase())}`,
        summary: `A ${subject} ${moments[moment]}`,
        description:
          'Sent to the webhook of the tenant, signed as Standard Webhooks has it. Answer with 2xx ' +
          'within 15 seconds; anything else is tried again later, with the same `webhook-id`.',
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
                  event: { type: 'string', const: type },
                  data: { $ref: `#/components/schemas/${schema}` },
                },
              },
              example: { event: type, data: example },
            },
          },
        },
        responses: {
          '2XX': { description: 'The event was taken.' },
          '4XX': { description: 'Tried again later; 410 switches the webhook off.' },
        },
      };
      return [type, { post: operation }];
    }),
  );
}

const parameters = [
  header('webhook-id', 'The same on every try; take an event you know by it only once.', 'msg_1'),
  header('webhook-timestamp', 'When this try was made, in Unix seconds.', '1795253400'),
  header('webhook-signature', 'One or more signatures `v1,...`, with a space between.', 'v1,c2ln'),
];

function header(name: string, description: string, example: string): object {
  return { name, in: 'header', required: true, description, schema: { type: 'string' }, example };
}
