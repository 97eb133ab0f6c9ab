const graphemes = new Intl.Segmenter();

/** What a name begins with, as one sees it: an emoji is often several characters. */
export function initialOf(name: string): string {
  const [first] = graphemes.segment(name.trim());
  return first?.segment.toUpperCase() ?? '';
}
