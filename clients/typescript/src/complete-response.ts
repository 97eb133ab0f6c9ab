/**
 * Returns a response whose body is known to be whole, so that what breaks off counts as no response and can be retried.
 * Downloads stay streams. An error gets the fields of every error, also if its body is that of a proxy: empty, or a
 * page of HTML.
 *
 * @throws TypeError if a success is neither JSON nor a file, such as the page of a proxy
 */
export async function completeResponse(response: Response): Promise<Response> {
  // Without a body: a 304 cannot have one.
  if (response.status === 204 || response.status === 304) return response;
  const type = response.headers.get('content-type') ?? '';
  if (response.ok && !/^(application\/json|text\/html)\b/i.test(type)) return response;
  const text = await response.text();
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
  if (isObject(text)) return new Response(text, { status, statusText, headers });
  if (response.ok) throw new TypeError(`the response with HTTP status ${status} is not JSON`);
  headers.set('content-type', 'application/json');
  const body = { success: false, message: statusMessage(response), errors: {} };
  return new Response(JSON.stringify(body), { status, statusText, headers });
}

/** What is wrong, if the response does not say it. */
export function statusMessage({ status }: Response): string {
  return `The service responded with HTTP status ${status}.`;
}

function isObject(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null && !Array.isArray(body);
  } catch {
    return false;
  }
}
