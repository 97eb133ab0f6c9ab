import { type Fault, fault } from '../platform/errors/fault.ts';

export type MediaKind = 'image' | 'document' | 'video' | 'audio';

export const megabyte = 1024 * 1024;

/**
 * The limits and types of each kind of media (docs/spec.md, section 8, and the network's list of
 * types, November 2026).
 */
export const mediaLimits: Record<MediaKind, { megabytes: number; types: string[] }> = {
  image: { megabytes: 5, types: ['image/jpeg', 'image/png'] },
  video: { megabytes: 16, types: ['video/mp4', 'video/3gpp'] },
  audio: {
    megabytes: 16,
    types: ['audio/aac', 'audio/amr', 'audio/mpeg', 'audio/mp4', 'audio/ogg'],
  },
  document: {
    megabytes: 100,
    types: [
      'application/pdf',
      'text/plain',
      'application/msword',
      'application/vnd.ms-excel',
      'application/vnd.ms-powerpoint',
      'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
      'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
      'application/vnd.openxmlformats-officedocument.presentationml.presentation',
    ],
  },
};

export const mediaKinds = ['image', 'document', 'video', 'audio'] as const;

/** Returns the kind of file that has this MIME type; undefined if the network does not accept the type. */
export function kindOf(mimeType: string): MediaKind | undefined {
  return mediaKinds.find((kind) => mediaLimits[kind].types.includes(mimeType));
}

/** @param mimeType empty if none is named */
export function wrongType(mimeType: string, kind: MediaKind): Fault {
  const found = mimeType ? 'is of type {type}' : 'names no content type';
  return fault('media_type', `${found}; for type {kind} the network takes {types}`, {
    type: mimeType.slice(0, 100),
    kind,
    types: mediaLimits[kind].types.join(', '),
  });
}

/**
 * @param found what was found, in words
 * @param megabytes 0 if the length is not known exactly
 */
export function tooLong(found: string, kind: MediaKind, megabytes: number): Fault {
  const max = mediaLimits[kind].megabytes;
  return fault('media_too_long', `is ${found}; for type {kind} the limit is {max} MB`, {
    kind,
    max,
    megabytes,
  });
}

export const emptyFile = fault('media_empty', 'is an empty file');
