const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const listBegins = 0x5b;
const objectBegins = 0x7b;

/**
 * Whether JSON has more values than may be, at any depth, told from its bytes: reading many small
 * values into objects, and going through those, takes a hundred times as long as counting them.
 */
export function hasMoreValues(json: Buffer, most: number): boolean {
  if (json.length <= most) return false;
  let values = 0;
  let isText = false;
  for (let at = 0; at < json.length; at++) {
    const byte = json[at];
    if (byte === quote) isText = !isText;
    else if (isText) at += byte === backslash ? 1 : 0;
    else if (byte === comma || byte === listBegins || byte === objectBegins) {
      values++;
      if (values > most) return true;
    }
  }
  return false;
}
