import { type TLiteral, type TObject, type TSchema, type TString, Type } from 'typebox';
import { doc, Nullable, RecordId } from './field-schema.ts';

type Success<Fields extends Record<string, TSchema>> = TObject<
  { success: TLiteral<true> } & Fields
>;

/**
 * The schema of a 200 response.
 *
 * @param description of the response and of its `data`
 * @param message the text that the response has as `message`, if it has one
 */
export function SuccessResponse<Data extends TSchema>(
  description: string,
  data: Data,
): Success<{ data: Data }>;
export function SuccessResponse<Data extends TSchema>(
  description: string,
  data: Data,
  message: string,
): Success<{ message: TString; data: Data }>;
export function SuccessResponse(description: string, data: TSchema, message?: string) {
  const fields: Record<string, TSchema> = message
    ? { message: Type.String(doc('What was done, in one sentence.', message)) }
    : {};
  return respond(description, { ...fields, data: { ...data, description } });
}

/** The same for one page of a list. */
export function PageResponse<Entry extends TSchema>(description: string, entry: Entry) {
  return respond(description, {
    data: Type.Array(entry, { description }),
    pagination: Type.Object(
      {
        ...Pagination.properties,
        next: Nullable(
          'string',
          doc(
            'For `after` of the next page; null on the last one.',
            'dDq4bWn0Y1dYq0hXeyJwYWdlIjoxfQ',
          ),
        ),
      },
      position,
    ),
  });
}

/** The schema of a 200 response of the dashboard's routes, which the API reference does not describe. */
export function DataResponse<Data extends TSchema>(data: Data): Success<{ data: Data }> {
  return Type.Object({ success: Type.Literal(true), data });
}

function respond<Fields extends Record<string, TSchema>>(description: string, fields: Fields) {
  const success = Type.Literal(true, doc('The request was carried out.'));
  return Type.Object({ success, ...fields }, { description });
}

const position = doc('Position of this page in the list.');

export const Pagination = Type.Object(
  {
    page: Type.Integer(doc('Number of this page, from 1.', 1)),
    per_page: Type.Integer(doc('Records per page.', 25)),
    total: Type.Integer(doc('Number of records on all pages.', 60)),
    total_pages: Type.Integer(doc('Number of pages.', 3)),
  },
  position,
);

/** The `data` of the response to a DELETE. */
export const DeletedRecord = Type.Object(
  { id: RecordId, deleted: Type.Literal(true, doc('The record no longer exists.')) },
  { title: 'Deleted' },
);
