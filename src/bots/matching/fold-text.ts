/**
 * Text as keywords are held against it: whoever typed it on whatever keyboard, what reads the same
 * is the same. Case is folded (`ß` is `ss`, a dotted and a dotless i are one), wide and composed
 * characters have one form, white space is a single space, and what cannot be seen is gone: joiners,
 * marks of direction, the skin tone and the colour of an emoji.
 */
export function foldText(text: string): string {
  return (
    text
      .normalize('NFKC')
      // Joiners, marks of direction, variation selectors, soft hyphens.
      .replace(/\p{Default_Ignorable_Code_Point}|\p{Emoji_Modifier}|\u0640/gu, '')
      // Folding by way of capitals joins what small letters alone keep apart: ß and ss, ı and i.
      .toUpperCase()
      .toLowerCase()
      .replaceAll('i\u0307', 'i')
      .replaceAll('ς', 'σ')
      .replace(/[‘’ʼ`´]/g, "'")
      .normalize('NFKC')
      .replace(/\s+/gu, ' ')
      .trim()
  );
}
