/** The kinds in which a file can be sent. */
export type FileKind = 'image' | 'video' | 'audio' | 'document';

/** The files that WhatsApp accepts of each kind. The service has the same list (`src/media/media-kinds.ts`). */
export const fileLimits: Record<FileKind, { megabytes: number; types: readonly string[] }> = {
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

export const megabyte = 1024 * 1024;

export const fileKinds = Object.keys(fileLimits) as FileKind[];

/** Types of files to which some systems give none, or one of their own. */
const typesByEnding: Record<string, string> = {
  m4a: 'audio/mp4',
  aac: 'audio/aac',
  amr: 'audio/amr',
  doc: 'application/msword',
  xls: 'application/vnd.ms-excel',
  ppt: 'application/vnd.ms-powerpoint',
  docx: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  xlsx: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  pptx: 'application/vnd.openxmlformats-officedocument.presentationml.presentation',
};

/** Returns the `accept` attribute of a file field for some kinds. */
export function acceptOf(kinds: readonly FileKind[]): string {
  return kinds.flatMap((kind) => fileLimits[kind].types).join(',');
}

/** Returns the type of a file, as WhatsApp knows it. */
export function typeOf({ name, type }: Pick<File, 'name' | 'type'>): string {
  const isTaken = fileKinds.some((kind) => fileLimits[kind].types.includes(type));
  return isTaken ? type : (typesByEnding[name.split('.').at(-1)!.toLowerCase()] ?? type);
}

/** Returns the name with which a file is sent: its end, if it is longer than WhatsApp takes. */
export function sentName({ name }: Pick<File, 'name'>): string {
  return name.slice(-240);
}

/** Returns what a file can be sent as; undefined if WhatsApp does not take its type. */
export function kindOf(file: Pick<File, 'name' | 'type'>): FileKind | undefined {
  const type = typeOf(file);
  return fileKinds.find((kind) => fileLimits[kind].types.includes(type));
}
