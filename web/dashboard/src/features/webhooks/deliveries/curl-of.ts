type Request = { url: string; headers: { name: string; value: string }[]; body: string | null };

/** Writes a request as a command for a shell. */
export function curlOf({ url, headers, body }: Request): string {
  return [
    `curl ${quoted(url)}`,
    ...headers.map(({ name, value }) => `-H ${quoted(`${name}: ${value}`)}`),
    `--data-raw ${quoted(body ?? '')}`,
  ].join(' \\\n  ');
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
