import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';
import type { Database } from '../platform/database/database.ts';
import { type FieldErrors, invalid, noRoom, notFound } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';
import { NoQuery } from '../platform/http/no-query.ts';
import { DeletedRecord, SuccessResponse } from '../platform/http/response-schema.ts';
import { success } from '../platform/http/success.ts';
import { idFrom, idOrUnknown } from '../platform/values/id.ts';
import type { TenantApi } from '../tenants/api/tenant-api.ts';
import { createLabel, isTakenName, maxLabels } from './create-label.ts';
import { deleteLabel } from './delete-label.ts';
import { type LabelKind, labelKinds } from './label-kinds.ts';
import { findLabel, isNameTaken, listLabels, updateLabel } from './queries.ts';
import { type LabelChange, labelSchemas } from './schema.ts';

/**
 * Adds the routes of statuses, sources and groups, which are the same for each (docs/spec.md,
 * section 4.3).
 */
export function labelRoutes(api: TenantApi, { db }: { db: Database }): void {
  for (const kind of Object.keys(labelKinds) as LabelKind[]) routesOf(api, db, kind);
}

function routesOf(api: TenantApi, db: Database, kind: LabelKind): void {
  const { New, Change, Record, title, tag } = labelSchemas(kind);
  const { one } = labelKinds[kind];
  const tags = [tag];
  const messages = {
    created: `The ${one} was created.`,
    updated: `The ${one} was updated.`,
    deleted: `The ${one} was deleted and removed from its contacts.`,
  };

  async function findFaults(
    { caller, method, params }: FastifyRequest,
    { name }: LabelChange,
  ): Promise<FieldErrors> {
    const id = method === 'PUT' ? idOrUnknown(params) : undefined;
    return (await isNameTaken(db, caller.tenantId, kind, name, id)) ? takenName : {};
  }

  api.post(
    `/${kind}`,
    {
      config: { ability: `${kind}:create`, furtherFaults: findFaults },
      schema: {
        operationId: `create${title}`,
        tags,
        summary: `Create a ${one}`,
        faults: takenName,
        body: New,
        response: { 200: SuccessResponse(`The created ${one}.`, Record, messages.created) },
      },
    },
    async ({ caller, body, db }) => {
      const { tenantId } = caller;
      const data = await createLabel(db, tenantId, kind, body).catch(refuseTakenName);
      if (!data) throw noRoom('name', maxLabels, kind);
      return success({ message: messages.created, data });
    },
  );

  api.get(
    `/${kind}`,
    {
      config: { ability: `${kind}:read`, limitConcurrency: true },
      schema: {
        operationId: `list${tag}`,
        tags,
        summary: `List all ${kind}`,
        querystring: NoQuery,
        response: { 200: SuccessResponse(`All ${kind}, without pages.`, Type.Array(Record)) },
      },
    },
    async ({ db: reads, caller }) =>
      success({ data: await listLabels(reads, caller.tenantId, kind) }),
  );

  api.get(
    `/${kind}/:id`,
    {
      config: { ability: `${kind}:read` },
      schema: {
        operationId: `get${title}`,
        tags,
        summary: `Get a ${one}`,
        response: { 200: SuccessResponse(`The ${one}.`, Record) },
      },
    },
    async ({ db: reads, caller, params }) => {
      const data = await findLabel(reads, caller.tenantId, kind, idFrom(params));
      if (!data) throw notFound();
      return success({ data });
    },
  );

  api.put(
    `/${kind}/:id`,
    {
      config: { ability: `${kind}:update`, furtherFaults: findFaults },
      schema: {
        operationId: `update${title}`,
        tags,
        summary: `Update a ${one}`,
        description: 'Changes only the fields in the body; null clears a field.',
        faults: takenName,
        body: Change,
        response: { 200: SuccessResponse(`The updated ${one}.`, Record, messages.updated) },
      },
    },
    async ({ caller, params, body }) => {
      const { tenantId } = caller;
      const id = idOrUnknown(params);
      const data = await updateLabel(db, tenantId, kind, id, body).catch(refuseTakenName);
      if (!data && (await isNameTaken(db, tenantId, kind, body.name, id))) throw invalid(takenName);
      if (!data) throw notFound();
      return success({ message: messages.updated, data });
    },
  );

  api.delete(
    `/${kind}/:id`,
    {
      config: { ability: `${kind}:delete` },
      schema: {
        operationId: `delete${title}`,
        tags,
        summary: `Delete a ${one}`,
        description:
          `Removes the ${one} from its contacts. In the background, each of them gets a new ` +
          '`updated_at` and a `contact.updated` event.',
        response: { 200: SuccessResponse(`The deleted ${one}.`, DeletedRecord, messages.deleted) },
      },
    },
    async ({ caller, params }) => {
      const id = idFrom(params);
      if (!(await deleteLabel(db, caller.tenantId, kind, id))) throw notFound();
      return success({ message: messages.deleted, data: { id, deleted: true as const } });
    },
  );
}

const takenName: FieldErrors = { name: [fault('name_taken', 'is already taken')] };

function refuseTakenName(error: Error & { code?: string }): never {
  throw isTakenName(error) ? invalid(takenName, error) : error;
}
