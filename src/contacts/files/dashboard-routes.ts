import { Readable } from 'node:stream';
import { recordAudit } from '../../audit/record-audit.ts';
import { createKeyedSemaphore } from '../../platform/concurrency/keyed-semaphore.ts';
import { ApiError, badRequest, notFound } from '../../platform/errors/api-error.ts';
import { codeOf, fault, storedCode } from '../../platform/errors/fault.ts';
import { success } from '../../platform/http/success.ts';
import { allowLongUpload } from '../../platform/listener/limits/limit-bodies.ts';
import { idFrom } from '../../platform/values/id.ts';
import type { Services } from '../../services.ts';
import type { TenantApi } from '../../tenants/api/tenant-api.ts';
import {
  ChosenContacts,
  ContactImports,
  ImportQuery,
  RefusedRows,
  StartedImport,
} from '../dashboard-schema.ts';
import { fieldsOfFilter } from '../searching/contact-filter.ts';
import { contactLines } from './export-contacts.ts';
import {
  findImportReport,
  findRefusedRows,
  type ImportRow,
  listImports,
} from './importing/import-log-queries.ts';
import type { StoredRow } from './importing/refused-row.ts';
import { createImportStarter, maxFileBytes } from './importing/start-import.ts';

const importsShown = 5;
/**
 * Exports of a tenant at a time, in this process. Each holds a permit for expensive requests until it has been read, so
 * more would keep searches and long lists waiting.
 */
const maxExports = 2;

/** Routes for the import and export of contacts as CSV files. */
export function contactFileRoutes(api: TenantApi, services: Services): void {
  const exportsOf = createKeyedSemaphore<number>(maxExports);
  const { startImport, close } = createImportStarter(services);
  api.addHook('onClose', close);

  api.register(async (files: TenantApi) => {
    files.removeAllContentTypeParsers();
    files.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload));
    files.addContentTypeParser('*', (_request, _payload, done) => done(noFile()));

    files.post(
      '/contacts/imports',
      {
        bodyLimit: maxFileBytes,
        config: { limitConcurrency: false },
        schema: {
          querystring: ImportQuery,
          requestType: 'text/csv',
          response: { 200: StartedImport },
        },
      },
      async (request) => {
        const { member, query, body, headers, raw } = request;
        if (!body) throw noFile();
        const started = await startImport(member.tenantId, {
          filename: query.filename,
          bytes: Number(headers['content-length'] ?? 0),
          body: body as Readable,
          choices: {
            phonesWithoutPlus: query.phones === 'without_plus',
            createLabels: query.labels === 'create',
            onlyCheck: query.check === 'only',
          },
          onAccepted: () => allowLongUpload(raw),
        });
        return success({ data: presentImport(started) });
      },
    );
  });

  api.get(
    '/contacts/imports',
    { schema: { response: { 200: ContactImports } } },
    async ({ db: reads, member }) =>
      success({
        data: (await listImports(reads, member.tenantId, importsShown)).map(presentImport),
      }),
  );

  api.get(
    '/contacts/imports/:id/refused-rows',
    { schema: { response: { 200: RefusedRows } } },
    async ({ db: reads, member, params }) => {
      const rows = await findRefusedRows(reads, member.tenantId, idFrom(params));
      if (!rows) throw notFound();
      return success({ data: rows.map(presentRow) });
    },
  );

  api.get(
    '/contacts/imports/:id/report',
    { config: { limitConcurrency: true }, schema: { responseType: 'text/csv' } },
    async ({ db: reads, member, params }, reply) => {
      const found = await findImportReport(reads, member.tenantId, idFrom(params));
      if (!found) throw notFound();
      const name = `${found.filename.replace(/\.csv$/i, '')}.refused.csv`;
      return reply
        .headers({ 'content-type': 'text/csv; charset=utf-8', ...asDownload(name) })
        .send(found.report);
    },
  );

  // The response to a HEAD would need the whole file.
  const exporting = {
    config: { owner: true, limitConcurrency: true },
    schema: { querystring: ChosenContacts, responseType: 'text/csv' },
    exposeHeadRoute: false,
  };
  // Sent as it is read, however long that takes: a proxy in front would not wait for the first byte of millions of
  // contacts. An error ends the connection, so that the browser reports a failed download.
  api.get('/contacts/export', exporting, async ({ member, query: filter }, reply) => {
    const leave = exportsOf.tryAcquire(member.tenantId);
    if (!leave) throw tooManyExports();
    reply.raw.once('close', leave);
    const changes = [{ field: 'filter', after: fieldsOfFilter(filter) }];
    await services.holds.write(member.tenantId, () =>
      recordAudit(services.db, member.tenantId, { action: 'contacts.exported', changes }),
    );
    const day = new Date().toISOString().slice(0, 10);
    return reply
      .headers({
        'content-type': 'text/csv; charset=utf-8',
        ...asDownload(`contacts-${member.slug}-${day}.csv`),
      })
      .send(
        Readable.from(contactLines(services.db, member.tenantId, filter), { highWaterMark: 1 }),
      );
  });
}

function noFile() {
  return badRequest(
    fault('body_not_csv', 'The body must be a file, sent with Content-Type: text/csv.'),
  );
}

function tooManyExports() {
  return new ApiError('rate_limited', {
    message: fault(
      'too_many_exports',
      'Too many exports are being downloaded already. Wait until one has ended.',
    ),
    retryAfterSeconds: 5,
  });
}

function asDownload(name: string) {
  return { 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}` };
}

function presentImport({ started_at, ...row }: ImportRow) {
  const problem_says = storedCode(row.problem, row.problem_says);
  return { ...row, problem_says, started_at: started_at.toISOString() };
}

function presentRow({ line, faults }: StoredRow) {
  const reasons = faults.map(({ field, ...each }) => ({
    field,
    text: each.text,
    says: codeOf(each),
  }));
  return { line, reasons };
}
