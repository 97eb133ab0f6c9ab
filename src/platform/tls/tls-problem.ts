/** A certificate or key cannot be used. `message` names the file and says what to do. */
export class TlsProblem extends Error {
  override name = 'TlsProblem';
}
