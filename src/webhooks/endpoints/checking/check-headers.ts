import { invalid } from '../../../platform/errors/api-error.ts';
import { type Fault, fault } from '../../../platform/errors/fault.ts';

const maxHeaders = 20;
const maxValueLength = 4_096;

/** Headers of the connection or of the body, which only the program that sends the request can set. */
const ownHeaders = new Set([
  'connection',
  'content-encoding',
  'content-length',
  'content-type',
  'expect',
  'host',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
]);

/** An additional header. Its value is a secret. */
export type Header = { name: string; value: string };

/**
 * Checks additional headers of an endpoint, such as those of a gateway in front of it.
 *
 * @returns them with names in lower case
 * @throws ApiError 422 on `headers`
 */
export function checkHeaders(headers: Header[]): Record<string, string> {
  const entries = headers.map(({ name, value }) => ({
    name: name.trim().toLowerCase(),
    value: value.trim(),
  }));
  const faults = entries.flatMap(({ name, value }) => faultOf(name, value) ?? []);
  if (entries.length > maxHeaders) {
    faults.push(fault('too_many_headers', 'must have at most {max} headers', { max: maxHeaders }));
  }
  const names = new Set(entries.map(({ name }) => name));
  if (names.size < entries.length) {
    faults.push(fault('header_twice', 'must not have a header twice'));
  }
  if (faults.length > 0) throw invalid({ headers: faults });
  return Object.fromEntries(entries.map(({ name, value }) => [name, value]));
}

/** The value is a secret, so no fault quotes it. */
function faultOf(name: string, value: string): Fault | undefined {
  if (!/^[a-z0-9!#$%&'*+.^_`|~-]{1,100}$/.test(name)) {
    return fault('not_a_header', 'must not have "{name}", which is not the name of a header', {
      name,
    });
  }
  if (ownHeaders.has(name) || name.startsWith('webhook-')) {
    return fault('own_header', 'must not have {name}, which Parley sets for each request', {
      name,
    });
  }
  if (value.length > maxValueLength || !/^[\t\x20-\x7e]+$/.test(value)) {
    return fault(
      'not_a_header_value',
      'must have 1 to {max} ASCII characters as the value of {name}, and no line break',
      { name, max: maxValueLength },
    );
  }
  return undefined;
}
