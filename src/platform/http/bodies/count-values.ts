const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const listBegins = 0x5b;
const objectBegins = 0x7b;

/**
 * Whether JSON has more than `max` values, at any depth. Counted in its bytes: parsing and validating many
 * small values takes a hundred times as long.
 */
export function hasMoreValues(json: Buffer, max: number): boolean {
  if (json.length <= max) return false;
  let values = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) isText = !isText;
    else if (isText) at += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === listBegins || byte === objectBegins) {
      values++;
      if (values > max) return true;
    }
  }
  return false;
}
