/**
 * Returns an error response that has the fields of every error, also if its body is that of a proxy: empty, or a page
 * of HTML. All other responses are returned as they are.
 */
export async function completeError(response: Response): Promise<Response> {
  // A 304 cannot have a body.
  if (response.ok || response.status === 304) return response;
  const text = await response.clone().text();
  if (isObject(text)) return response;
  const { status, statusText } = response;
  const headers = new Headers(response.headers);
  for (const name of ['content-length', 'content-encoding']) headers.delete(name);
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
