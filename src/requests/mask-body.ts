import { mask } from './mask-path.ts';

const maxBytes = 4_096;

/** Names of fields whose texts and numbers are secrets. */
const secretNames =
  /otp|token|secret|password|passcode|authorization|api_?key|credential|signature|cookie|one_?time/i;
/** Names of fields with texts that people write, in which codes can be. */
const textNames = /^(text|body|caption|field_\d+)$/;
/** Also in groups, as 123 456. */
const codes = /(?<![\p{L}\d])\d(?:[ -]?\d){3,7}(?![\p{L}\d])/gu;
const ownTokens = /parley_[0-9A-Za-z]{38}/g;

/** Returns the beginning of a request's body, with secrets masked; null without a body. */
export function maskRequestBody(body: unknown): string | null {
  return body === undefined || body === null ? null : maskJson(body);
}

/** Returns the beginning of a response with JSON, with secrets masked; null for anything else, such as a file. */
export function maskResponseBody(payload: unknown): string | null {
  if (typeof payload !== 'string') return null;
  try {
    return maskJson(JSON.parse(payload));
  } catch {
    return null;
  }
}

function maskJson(value: unknown): string | null {
  try {
    return cut(JSON.stringify(value, maskField));
  } catch {
    // A refused body may be nested too deeply to be written.
    return null;
  }
}

/** A replacer of `JSON.stringify`. */
function maskField(this: unknown, name: string, value: unknown): unknown {
  // A refused body can have a number or a list where a text should be.
  if (Array.isArray(value)) return value.map((each) => maskField.call(this, name, each));
  if (typeof value !== 'string' && typeof value !== 'number') return value;
  if (secretNames.test(name)) return mask;
  // `message` of a request is the text of a message; that of a response is our own.
  const isText = textNames.test(name) || (name === 'message' && !isResponse(this));
  if (typeof value === 'number') return isText ? mask : value;
  if (/^(Bearer|Basic) /i.test(value)) return mask;
  if (name === 'field_1' && looksLikeCode(value, this as object)) return mask;
  const text = isText ? value.replace(codes, mask) : value;
  return maskLink(text.replace(ownTokens, mask));
}

/** The only field of an authentication template is a code of up to 15 letters and digits. */
function looksLikeCode(value: string, fields: object): boolean {
  return /^[\w-]{4,15}$/.test(value) && (/\d/.test(value) || !('field_2' in fields));
}

function isResponse(holder: unknown): boolean {
  return typeof (holder as { success?: unknown }).success === 'boolean';
}

/** The query and the password of a link often grant access to a file. */
function maskLink(text: string): string {
  if (!/^https?:\/\//i.test(text)) return text;
  const at = text.search(/[?#]/);
  const address = at < 0 ? text : `${text.slice(0, at)}?${mask}`;
  const host = address.indexOf('//') + 2;
  const slash = address.indexOf('/', host);
  const authority = address.slice(host, slash < 0 ? undefined : slash);
  const sign = authority.lastIndexOf('@');
  return sign < 0 ? address : `${address.slice(0, host)}${mask}${address.slice(host + sign)}`;
}

function cut(json: string): string {
  // A character has up to three bytes for each unit of its length.
  const bytes = Buffer.from(json.slice(0, maxBytes));
  const isLong = json.length > maxBytes || bytes.length > maxBytes;
  return isLong ? `${bytes.subarray(0, maxBytes).toString()}…` : json;
}
