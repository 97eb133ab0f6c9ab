import type { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import type { FastifyRequest } from 'fastify';
import { type ApiError, badRequest, invalid } from '../platform/errors/api-error.ts';
import { fault } from '../platform/errors/fault.ts';

/** The file of a form. The body must be read to its end or destroyed. */
export type FormFile = { body: Readable; filename: string | undefined; mimeType: string };

/** Fields of the form that have arrived. */
export type FormFields = ReadonlyMap<string, string>;

/** The form has two short fields and one file, and later versions may have more. */
const limits = { fields: 20, files: 1, parts: 21, fieldSize: 1024, headerPairs: 20 };
/** The maximum of a form besides its file: boundaries, headers and fields. */
export const maxFormBytes = 128 * 1024;

/**
 * Reads a form of `multipart/form-data` with one file, in the order in which its bytes arrive and no faster than
 * the file is read. Nothing is stored.
 *
 * @param maxBytes of the whole body
 * @param receive called with the file and the fields before it; the map is filled further while the file arrives
 * @returns every field, and the result of `receive`; undefined without a file
 * @throws ApiError 400 if the body is not a complete form or is too long, 422 if it has a second file, and the errors
 *   of `receive`, all of them as soon as they are known. The rest of the body is left unread
 */
export async function readForm<Result>(
  { headers }: FastifyRequest,
  body: Readable,
  maxBytes: number,
  receive: (file: FormFile, fields: FormFields) => Promise<Result>,
): Promise<{ fields: FormFields; received: Result | undefined }> {
  const form = openForm(headers as BusboyHeaders);
  const fields = new Map<string, string>();
  const { promise: whole, resolve, reject } = Promise.withResolvers<void>();
  let file: Readable | undefined;
  let received: Promise<Result> | undefined;
  let bytes = 0;

  function onData(chunk: Buffer): void {
    bytes += chunk.length;
    if (bytes > maxBytes) reject(formTooLong());
  }
  const onBroken = (cause: Error) =>
    reject(badRequest(fault('broke_off', 'The request broke off.'), cause));

  form.on('field', (name, value) => fields.set(name, value));
  form.on('file', (name, stream, filename, _encoding, mimeType) => {
    // Without a listener, a form that breaks off would end the process.
    stream.on('error', () => {});
    if (name !== 'file') return reject(invalid({ file: [oneFile] }));
    file = stream;
    received = receive({ body: stream, filename, mimeType }, fields);
    received.catch(reject);
  });
  form.on('filesLimit', () => reject(invalid({ file: [oneFile] })));
  for (const event of ['fieldsLimit', 'partsLimit'] as const) {
    form.on(event, () => reject(notAForm()));
  }
  form.on('error', (cause) => reject(notAForm(cause)));
  form.on('finish', resolve);
  body.on('data', onData).on('error', onBroken).pipe(form);
  try {
    await whole;
    return { fields, received: await received };
  } catch (error) {
    body.unpipe(form);
    file?.destroy(error as Error);
    await Promise.allSettled([received]);
    throw error;
  } finally {
    body.off('data', onData).off('error', onBroken);
  }
}

function openForm(headers: BusboyHeaders) {
  try {
    return new Busboy({ headers, limits });
  } catch (cause) {
    throw notAForm(cause as Error);
  }
}

const oneFile = fault('one_file', 'must be the only file of the form');

export function notAForm(cause?: unknown): ApiError {
  return badRequest(
    fault(
      'body_not_form',
      'The body must be a complete form, sent as multipart/form-data, with the fields file and type.',
    ),
    cause,
  );
}

export function formTooLong(): ApiError {
  return invalid({ file: [fault('form_too_long', 'is longer than any file that WhatsApp takes')] });
}
