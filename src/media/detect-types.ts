/** The number of bytes at the beginning of a file that `detectTypes` needs. */
export const headBytes = 1024;

const officeTypes = [
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
];
const oldOfficeTypes = [
  'application/msword',
  'application/vnd.ms-excel',
  'application/vnd.ms-powerpoint',
];

/**
 * The bytes by which the formats begin, in hexadecimal, at an offset in bytes. The first match counts. Some containers
 * hold several types, which only their inner parts tell apart.
 */
const signatures: { begins: string[]; at?: number; types: string[] }[] = [
  { begins: ['ffd8ff'], types: ['image/jpeg'] },
  { begins: ['89504e470d0a1a0a'], types: ['image/png'] },
  // `ftyp3g`, `ftypM4A`, `ftypM4B`, and `ftyp` of any other brand.
  { at: 4, begins: ['667479703367'], types: ['video/3gpp'] },
  { at: 4, begins: ['667479704d3441', '667479704d3442'], types: ['audio/mp4'] },
  { at: 4, begins: ['66747970'], types: ['video/mp4', 'audio/mp4', 'video/3gpp'] },
  // `ADIF`, or a frame of ADTS.
  { begins: ['41444946', 'fff0', 'fff1', 'fff8', 'fff9'], types: ['audio/aac'] },
  { begins: ['2321414d52'], types: ['audio/amr'] },
  { begins: ['494433'], types: ['audio/mpeg', 'audio/aac'] },
  // Frames of MPEG-1, 2 and 2.5, layers II and III.
  {
    begins: ['ffe2', 'ffe3', 'fff2', 'fff3', 'fff4', 'fff5', 'fffa', 'fffb', 'fffc', 'fffd'],
    types: ['audio/mpeg'],
  },
  { begins: ['4f676753'], types: ['audio/ogg'] },
  { begins: ['255044462d', 'efbbbf255044462d'], types: ['application/pdf'] },
  { begins: ['504b0304'], types: officeTypes },
  { begins: ['d0cf11e0a1b11ae1'], types: oldOfficeTypes },
];

/**
 * Returns the types that fit the content of a file, of those that the network accepts.
 *
 * @param head its first `headBytes`, or the whole file if it is shorter
 */
export function detectTypes(head: Buffer): string[] {
  const hex = head.toString('hex');
  const known = signatures.find(({ begins, at = 0 }) =>
    begins.some((bytes) => hex.startsWith(bytes, 2 * at)),
  );
  if (known) return known.types;
  return head.includes(0) ? [] : ['text/plain'];
}
