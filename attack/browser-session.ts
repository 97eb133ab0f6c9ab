import { Agent, request } from 'undici';

const password = 'correct horse battery staple';
const dispatcher = new Agent({ connect: { rejectUnauthorized: false } });

/** The headers that a browser sends automatically from a page of the dashboard. */
export function pageHeaders(url: string, cookie: string): Record<string, string> {
  return {
    origin: url,
    'sec-fetch-site': 'same-origin',
    'content-type': 'application/json',
    cookie,
  };
}

/** Makes a call that must succeed, for the setup. Throws the response otherwise. */
export async function callService(
  url: string,
  method: string,
  path: string,
  headers: Record<string, string>,
  body?: object,
  // biome-ignore lint/suspicious/noExplicitAny: bodies of every shape
): Promise<{ headers: Record<string, string | string[] | undefined>; body: any }> {
  const response = await request(url + path, {
    dispatcher,
    method: method as 'POST',
    headers,
    body: body === undefined ? null : JSON.stringify(body),
  });
  const text = await response.body.text();
  if (response.statusCode !== 200) {
    throw new Error(`${method} ${path}: ${response.statusCode} ${text.slice(0, 300)}`);
  }
  return { headers: response.headers, body: text.startsWith('{') ? JSON.parse(text) : text };
}

/**
 * Accepts an invitation and signs in, as the pages do.
 *
 * @returns the session's cookies in the form of a request header
 */
export async function signIn(url: string, invitationUrl: string, email: string): Promise<string> {
  const secret = new URL(invitationUrl).hash.slice(1);
  const headers = pageHeaders(url, '');
  await callService(url, 'POST', '/auth/invitation/accept', headers, {
    secret,
    name: 'Person',
    password,
  });
  const signedIn = await callService(url, 'POST', '/auth/sign-in/email', headers, {
    email,
    password,
  });
  return [signedIn.headers['set-cookie'] ?? []]
    .flat()
    .map((cookie) => String(cookie).split(';')[0])
    .join('; ');
}
