/**
 * Text as keywords are held against it: whoever typed it on whatever keyboard, what reads the same
 * is the same. Case is folded (`ß` is `ss`, a dotted and a dotless i are one), wide and composed
 * characters have one form, white space is a single space, and what cannot be seen is gone: joiners,
 * marks of direction, the skin tone and the colour of an emoji. So are the vowel marks of Arabic, which
 * hardly anybody types, and the accents of Greek, which capitals do not have. Digits are those of ASCII.
 */
export function foldText(text: string): string {
  return (
    text
      .normalize('NFKC')
      // Joiners, marks of direction, variation selectors, soft hyphens.
      .replace(/\p{Default_Ignorable_Code_Point}|\p{Emoji_Modifier}|\u0640/gu, '')
      // Not the hamza and madda above a letter (U+0653 to U+0655): they make it another one.
      .replace(/[\u064b-\u0652\u0656-\u065f\u0670]/g, '')
      // Arabic, Persian and Urdu, Hindi, Bengali: a menu asks for a digit, and each keyboard has its own.
      .replace(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf))
      .replace(/[०-९০-৯]/g, (digit) => String((digit.charCodeAt(0) & 0xf) - 6))
      // Keyboards of Persian and Urdu have letters of their own that look like those of Arabic.
      .replaceAll('ی', 'ي')
      .replaceAll('ک', 'ك')
      // Folding by way of capitals joins what small letters alone keep apart: ß and ss, ı and i. As Greek
      // has them, they bear no accents; to other scripts that makes no difference.
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
