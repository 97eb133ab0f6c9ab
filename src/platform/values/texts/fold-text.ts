import { asciiDigits } from '../phones/ascii-digits.ts';

/**
 * Normalizes a text for a comparison of keywords or names, so that texts that look the same are equal, whichever
 * keyboard they come from. Case is folded (`ß` is `ss`, a dotted and a dotless i are equal), wide and composed characters have
 * one form, white space becomes a single space, and digits become ASCII. Invisible characters are removed: joiners,
 * marks of direction, the skin tone and the colour of an emoji. So are the vowel marks of Arabic, which people rarely
 * type, and the accents of Greek, which capitals do not have.
 */
export function foldText(text: string): string {
  return (
    // People answer a menu with the digits of their keyboard.
    asciiDigits(text.normalize('NFKC'))
      // Joiners, marks of direction, variation selectors, soft hyphens.
      .replace(/\p{Default_Ignorable_Code_Point}|\p{Emoji_Modifier}|\u0640/gu, '')
      // The hamza and madda above a letter (U+0653 to U+0655) stay: they make it another letter.
      .replace(/[\u064b-\u0652\u0656-\u065f\u0670]/g, '')
      // Persian and Urdu keyboards have letters that look like Arabic ones but have other codes.
      .replaceAll('ی', 'ي')
      .replaceAll('ک', 'ك')
      // Folding through capitals makes ß and ss equal, and ı and i. Greek capitals have no accents; for other
      // scripts the locale makes no difference.
      .toLocaleUpperCase('el')
      .toLowerCase()
      .replaceAll('i\u0307', 'i')
      .replaceAll('ς', 'σ')
      .replace(/[‘’ʼ`´]/g, "'")
      .normalize('NFKC')
      .replace(/\s+/gu, ' ')
      .trim()
  );
}
