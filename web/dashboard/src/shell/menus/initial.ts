const graphemes = new Intl.Segmenter();

/** Returns the first visible character of a name. An emoji often consists of several code points. */
export function initialOf(name: string): string {
  const [first] = graphemes.segment(name.trim());
  return first?.segment.toUpperCase() ?? '';
}
