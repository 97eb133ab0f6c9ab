import type { FastifyRequest } from 'fastify';
import { type FieldErrors, invalid, noRoom, notFound } from '../errors.ts';
import type { Database } from '../platform/database/database.ts';
import { NoQuery } from '../platform/http/no-query.ts';
import { idFrom, idOrNobody } from '../platform/id.ts';
import { oneAtATime } from '../tenants/one-at-a-time.ts';
import type { TenantApi } from '../tenants/tenant-api.ts';
import { type LabelKind, labelKinds } from './label-kinds.ts';
import {
  deleteLabel,
  findLabel,
  insertLabel,
  isNameTaken,
  listLabels,
  updateLabel,
} from './queries.ts';
import { DeletedLabel, type LabelChange, labelSchemas } from './schema.ts';

/** Of a kind. A list has no pages: all of it is one answer. */
const mostLabels = 1_000;

/** Statuses, sources and groups: the same operations on each (spec, section 4.3). */
export function labelRoutes(api: TenantApi, { db }: { db: Database }): void {
  for (const kind of Object.keys(labelKinds) as LabelKind[]) routesOf(api, db, kind);
}

function routesOf(api: TenantApi, db: Database, kind: LabelKind): void {
  const { New, Change, One, All } = labelSchemas(kind);
  const { one } = labelKinds[kind];

  async function findFaults(
    { caller, method, params }: FastifyRequest,
    { name }: LabelChange,
  ): Promise<FieldErrors> {
    const id = method === 'PUT' ? idOrNobody(params) : undefined;
    return (await isNameTaken(db, caller.tenantId, kind, name, id)) ? takenName : {};
  }

  api.post(
    `/${kind}`,
    {
      config: { ability: `${kind}:create`, furtherFaults: findFaults },
      schema: { body: New, response: { 200: One } },
    },
    async ({ caller, body, db }) => {
      const { tenantId } = caller;
      const data = await oneAtATime(db, tenantId, (tx) =>
        insertLabel(tx, tenantId, kind, body, mostLabels),
      ).catch(refuseTakenName);
      if (!data) throw noRoom('name', mostLabels, kind);
      return { success: true as const, message: `The ${one} was created.`, data };
    },
  );

  api.get(
    `/${kind}`,
    {
      config: { ability: `${kind}:read`, inTurn: true },
      schema: { querystring: NoQuery, response: { 200: All } },
    },
    async ({ caller }) => ({
      success: true as const,
      data: await listLabels(db, caller.tenantId, kind),
    }),
  );

  api.get(
    `/${kind}/:id`,
    { config: { ability: `${kind}:read` }, schema: { response: { 200: One } } },
    async ({ caller, params }) => {
      const data = await findLabel(db, caller.tenantId, kind, idFrom(params));
      if (!data) throw notFound();
      return { success: true as const, data };
    },
  );

  api.put(
    `/${kind}/:id`,
    {
      config: { ability: `${kind}:update`, furtherFaults: findFaults },
      schema: { body: Change, response: { 200: One } },
    },
    async ({ caller, params, body }) => {
      const { tenantId } = caller;
      const id = idOrNobody(params);
      const data = await updateLabel(db, tenantId, kind, id, body).catch(refuseTakenName);
      if (!data && (await isNameTaken(db, tenantId, kind, body.name, id))) throw invalid(takenName);
      if (!data) throw notFound();
      return { success: true as const, message: `The ${one} was updated.`, data };
    },
  );

  api.delete(
    `/${kind}/:id`,
    { config: { ability: `${kind}:delete` }, schema: { response: { 200: DeletedLabel } } },
    async ({ caller, params }) => {
      const id = idFrom(params);
      if (!(await deleteLabel(db, caller.tenantId, kind, id))) throw notFound();
      return {
        success: true as const,
        message: `The ${one} was deleted and taken off its contacts.`,
        data: { id, deleted: true as const },
      };
    },
  );
}

const takenName: FieldErrors = { name: ['is already taken'] };

function refuseTakenName(error: { code?: string }): never {
  // unique_violation; the name is the only unique thing of a label.
  throw error.code === '23505' ? invalid(takenName, error) : error;
}
