import { Type } from 'typebox';
import { Choice, doc, Time } from '../platform/http/field-schema.ts';
import { SuccessResponse } from '../platform/http/response-schema.ts';
import { mediaKinds } from './media-kinds.ts';

const kind = Choice(mediaKinds, doc('What the file is sent as.', 'document'));

/** The form of an upload. It is read by `read-form.ts`, not validated by this. */
export const UploadForm = Type.Object(
  {
    from: Type.Optional(
      Type.String(
        doc(
          'The number that is to send the file, as in a send: its phone or the network’s id of it. Otherwise ' +
            'the default number. It must come before the file.',
          '+15550100200',
        ),
      ),
    ),
    type: kind,
    file: Type.Unsafe<string>({
      type: 'string',
      format: 'binary',
      ...doc(
        'The file, with its name and its Content-Type. With `application/octet-stream`, the type is read from the ' +
          'content, except for office documents.',
        '%PDF-1.7 ...',
      ),
    }),
  },
  { title: 'UploadMedia' },
);

export const uploaded = 'The file was uploaded.';

export const UploadedMedia = SuccessResponse(
  'The uploaded file.',
  Type.Object({
    media_id: Type.String(
      doc(
        'For `media_id` and `header_media_id` of sends, and `GET /media/{media_id}`.',
        'upload-42',
      ),
    ),
    type: kind,
    mime_type: Type.String(doc('Type of the file.', 'application/pdf')),
    size: Type.Integer(doc('Length in bytes.', 48211)),
    sha256: Type.String(
      doc(
        'SHA-256 of the file, in hexadecimal.',
        '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
      ),
    ),
    expires_at: Time('When WhatsApp forgets the file, in UTC: 30 days after its latest upload.'),
  }),
  uploaded,
);
