import { createReadStream, createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { badRequest, invalid, notFound } from '../../errors.ts';
import { idFrom } from '../../platform/id.ts';
import { createPlaces } from '../../platform/places.ts';
import { allowLongUpload } from '../../platform/tls/cut-slow-bodies.ts';
import type { Services } from '../../services.ts';
import type { TenantApi } from '../../tenants/tenant-api.ts';
import { ContactImports, ImportQuery, StartedImport } from '../dashboard-schema.ts';
import { exportContacts } from './export-contacts.ts';
import {
  findImportReport,
  type ImportRow,
  insertImport,
  listImports,
} from './import-log-queries.ts';
import { exportFolder, importFolder } from './remove-leftovers.ts';
import { runImport } from './run-import.ts';

/** A million contacts with every field filled. */
const longestFile = 256 * 1024 * 1024;
const importsShown = 5;
/** Files of one tenant that arrive at once; each is on our disk before all but one are refused. */
const mostArriving = 3;

/** Contacts from and to CSV files. */
export function contactFileRoutes(api: TenantApi, services: Services): void {
  const { db } = services;
  const arriving = createPlaces<number>(mostArriving);
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  api.addHook('onClose', async () => {
    stopping.abort();
    await Promise.all(running);
  });

  async function arrive(tenantId: number, work: () => Promise<void>): Promise<void> {
    const leave = arriving.take(tenantId);
    if (!leave) throw invalid({ file: ['cannot be taken while others arrive'] });
    await work().finally(leave);
  }

  api.register(async (files: TenantApi) => {
    files.removeAllContentTypeParsers();
    files.addContentTypeParser('text/csv', (_request, payload, done) => done(null, payload));
    files.addContentTypeParser('*', (_request, _payload, done) => done(noFile()));

    files.post(
      '/contacts/imports',
      {
        bodyLimit: longestFile,
        onRequest: async ({ raw }) => allowLongUpload(raw),
        schema: { querystring: ImportQuery, response: { 200: StartedImport } },
      },
      async (request) => {
        const { member, query } = request;
        if (!request.body) throw noFile();
        const folder = await mkdtemp(join(tmpdir(), importFolder));
        const path = join(folder, 'contacts.csv');
        let started: ImportRow | undefined;
        try {
          await arrive(member.tenantId, () => keep(request.body as Readable, path));
          started = await insertImport(db, member.tenantId, {
            filename: query.filename,
            bytes: (await stat(path)).size,
          });
        } finally {
          if (!started) await rm(folder, { recursive: true, force: true });
        }
        if (!started) throw invalid({ file: ['cannot be taken while another import runs'] });
        const run = runImport(services, member.tenantId, started.id, path, stopping.signal);
        running.add(run);
        void run.finally(() => running.delete(run));
        return { success: true as const, data: present(started) };
      },
    );
  });

  api.get(
    '/contacts/imports',
    { schema: { response: { 200: ContactImports } } },
    async ({ member }) => ({
      success: true as const,
      data: (await listImports(db, member.tenantId, importsShown)).map(present),
    }),
  );

  api.get(
    '/contacts/imports/:id/report',
    { config: { inTurn: true } },
    async ({ member, params }, reply) => {
      const found = await findImportReport(db, member.tenantId, idFrom(params));
      if (!found) throw notFound();
      const name = `${found.filename.replace(/\.csv$/i, '')}.refused.csv`;
      return reply
        .headers({ 'content-type': 'text/csv; charset=utf-8', ...asDownload(name) })
        .send(found.report);
    },
  );

  // To answer HEAD, all of it would be written.
  const exporting = { config: { owner: true, inTurn: true }, exposeHeadRoute: false };
  api.get('/contacts/export', exporting, async ({ member }, reply) => {
    const gone = new AbortController();
    reply.raw.once('close', () => gone.abort());
    const folder = await mkdtemp(join(tmpdir(), exportFolder));
    const path = join(folder, 'contacts.csv');
    try {
      await exportContacts(db, member.tenantId, path, gone.signal);
      const file = createReadStream(path);
      file.once('close', () => void rm(folder, { recursive: true, force: true }));
      const day = new Date().toISOString().slice(0, 10);
      return reply
        .headers({
          'content-type': 'text/csv; charset=utf-8',
          ...asDownload(`contacts-${member.slug}-${day}.csv`),
        })
        .send(file);
    } catch (error) {
      await rm(folder, { recursive: true, force: true });
      // Whoever asked for it left, so there is nobody to tell.
      if (gone.signal.aborted) return reply.hijack();
      throw error;
    }
  });
}

function noFile() {
  return badRequest('The body must be a file, sent with Content-Type: text/csv.');
}

/** Fastify looks at the announced length only; what is not announced is counted here. */
async function keep(body: Readable, path: string): Promise<void> {
  let bytes = 0;
  await pipeline(
    body,
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        bytes += chunk.length;
        if (bytes > longestFile) throw badRequest('The file is too long.');
        yield chunk;
      }
    },
    createWriteStream(path),
  ).catch((error) => {
    // Whoever sent it left.
    if (error.code === 'ECONNRESET') throw badRequest('The file did not arrive whole.', error);
    throw error;
  });
}

function asDownload(name: string) {
  return {
    'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`,
    'x-content-type-options': 'nosniff',
  };
}

function present({ started_at, ...row }: ImportRow) {
  return { ...row, started_at: started_at.toISOString() };
}
