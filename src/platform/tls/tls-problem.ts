/** A certificate or key cannot be used; `message` says which file and what to do. */
export class TlsProblem extends Error {
  override name = 'TlsProblem';
}
