/**
 * A phone as people write and paste it, `+49 (151) 234-567.89` or `0049...`, without its ornaments: what
 * is left may be a phone. Copied from an address book it comes between marks of direction, which nobody
 * sees. In a file of its own, for the dashboard takes it into its bundle.
 */
export function readWrittenPhone(text: string): string {
  return text
    .replace(/[\s().\-/\u2010-\u2015]|\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/^00(?=[1-9])/, '+');
}
