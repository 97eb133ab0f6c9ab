import type { FastifyInstance, FastifyRequest } from 'fastify';
import { numbersOf } from '../account.ts';
import type { Network } from '../network.ts';
import { presentFields, putNumber } from '../numbers.ts';
import { componentsSchema } from '../templates/components-schema.ts';
import { definitionProblem, reviewProblem } from '../templates/definition-problem.ts';
import { listTemplates, putTemplate, templatesOf } from '../templates/templates.ts';
import type { JsonObject, TemplateComponent } from '../types.ts';
import { accountOf } from './authorise.ts';
import { GraphError } from './graph-errors.ts';
import { type PageRequest, pageOf } from './pages.ts';
import { object, string } from './params.ts';

const categories = ['AUTHENTICATION', 'MARKETING', 'UTILITY'];

/** Registers the routes of a business account: its numbers, templates and marketing. */
export function accountRoutes(app: FastifyInstance, network: Network): void {
  const { state } = network;

  app.get<{ Params: { id: string }; Querystring: PageRequest & { fields?: string } }>(
    '/:id/phone_numbers',
    async (request) => {
      accountOf(network, request);
      const address = new URL(request.originalUrl, `http://${request.host}`);
      const numbers = numbersOf(network, request.params.id);
      return pageOf(numbers, request.query, address, (one) =>
        presentFields(state, one, request.query.fields),
      );
    },
  );

  app.get<{ Params: { id: string }; Querystring: Record<string, string> }>(
    '/:id/message_templates',
    async (request) => {
      accountOf(network, request);
      const address = new URL(request.originalUrl, `http://${request.host}`);
      return listTemplates(templatesOf(state, request.params.id), request.query, address);
    },
  );

  app.post<{ Params: { id: string } }>('/:id/message_templates', async (request) => {
    accountOf(network, request);
    const body = (request.body ?? {}) as JsonObject;
    const name = string(body, 'name', 'name', 1, 512);
    const language = string(body, 'language', 'language', 1, 32);
    const category = string(body, 'category', 'category', 1, 32).toUpperCase();
    if (!/^[a-z0-9_]+$/.test(name)) {
      throw GraphError.parameter('Param name must have only lower-case letters, digits and _.');
    }
    if (!categories.includes(category)) {
      throw GraphError.parameter(`Param category must be one of {${categories.join(', ')}}.`);
    }
    const components: unknown = object(body, 'components', 'components');
    if (!request.validateInput(components, componentsSchema)) {
      throw GraphError.parameter('Param components must be an array of template components.');
    }
    const parameter_format = body.parameter_format === 'NAMED' ? 'NAMED' : 'POSITIONAL';
    const definition = { components: components as TemplateComponent[], parameter_format } as const;
    const problem = definitionProblem(definition) ?? reviewProblem(definition);
    if (problem) throw GraphError.parameter(problem);
    const status = 'PENDING';
    const template = putTemplate(state, request.params.id, {
      name,
      language,
      category,
      ...definition,
      status,
    });
    return { id: template.id, status, category: template.category };
  });

  app.delete<{ Params: { id: string }; Querystring: { name?: string } }>(
    '/:id/message_templates',
    async (request) => {
      accountOf(network, request);
      const templates = templatesOf(state, request.params.id);
      const remaining = templates.filter((one) => one.name !== request.query.name);
      if (remaining.length === templates.length) {
        throw GraphError.of(100, 'Message template not found.');
      }
      state.templates.set(request.params.id, remaining);
      state.changes.emit('any');
      return { success: true };
    },
  );
}

/** Changes what `POST /{account}` can change. */
export function changeAccount(network: Network, request: FastifyRequest): { success: true } {
  const owner = accountOf(network, request);
  const { disable_marketing_messages_on_cloud_api: isDisabled } = (request.body ??
    {}) as JsonObject;
  if (typeof isDisabled !== 'boolean') {
    throw GraphError.parameter('Param disable_marketing_messages_on_cloud_api must be a boolean.');
  }
  for (const { phone_number_id } of numbersOf(network, owner.business_account_id)) {
    putNumber(network, { phone_number_id, marketing: { disabled_on_cloud_api: isDisabled } });
  }
  return { success: true };
}
