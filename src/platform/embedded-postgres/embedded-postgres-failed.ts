/** The embedded database cannot be used. `message` has the reason and what to do, on several lines. */
export class EmbeddedPostgresFailed extends Error {
  override name = 'EmbeddedPostgresFailed';
}

export const useOwnDatabase = 'Or set DATABASE_URL to your own PostgreSQL (15 or newer).';

/** Adds advice to the output of PostgreSQL or the system, if the cause is known. */
export function explainFailure(what: string, output: string): EmbeddedPostgresFailed {
  const advice = knownCauses.find(([pattern]) => pattern.test(output))?.[1];
  return new EmbeddedPostgresFailed(
    [what, advice, output.trim() && `Its output:\n${indent(output.trim())}`]
      .filter(Boolean)
      .join('\n'),
  );
}

const knownCauses: [RegExp, string][] = [
  [/No space left on device|ENOSPC/i, 'The disk is full: free some space and start again.'],
  [/quota exceeded|EDQUOT/i, 'The disk quota is used up: free some space and start again.'],
  [
    /wrong ownership|must be owned by/i,
    'The database folder belongs to another user: start Parley as that user, or give the folder to this one with chown -R.',
  ],
  [
    /invalid permissions|Permission denied|EACCES/i,
    'The user that runs PostgreSQL may not use a file or folder: see the path below.',
  ],
  [
    /could not (map|create|resize) (anonymous )?shared memory|Cannot allocate memory/i,
    'There is too little memory for PostgreSQL: free some, or lower shared_buffers in postgresql.conf.',
  ],
  [
    /could not look up effective user ID/i,
    'PostgreSQL needs a name for its user: add the user to /etc/passwd, or install libnss-wrapper.',
  ],
  [
    /setuid|setgid|EPERM|Operation not permitted/i,
    'PostgreSQL refuses to run as root, and this process may not change to another user: start Parley as an ordinary user.',
  ],
  [
    /error while loading shared libraries|version `GLIBC|ENOENT/i,
    `The PostgreSQL that comes with Parley does not run on this system (it needs glibc). ${useOwnDatabase}`,
  ],
];

function indent(text: string): string {
  return text.replace(/^/gm, '  ');
}
