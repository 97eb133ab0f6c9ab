/** The end of a sentence about what was copied. */
export function describeFiles(files: { kept: number; lost: number } | undefined): string {
  if (!files || files.kept + files.lost === 0) return '';
  const lost = files.lost === 0 ? '' : ` (${files.lost} were lost, and are asked of WhatsApp)`;
  return ` and ${files.kept} kept files${lost}`;
}
