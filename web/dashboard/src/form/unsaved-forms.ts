const forms = new Set<() => boolean>();

/**
 * Adds a form that asks before its changes are lost.
 *
 * @returns a function that removes it
 */
export function addGuarded(hasUnsaved: () => boolean): () => void {
  forms.add(hasUnsaved);
  return () => forms.delete(hasUnsaved);
}

/** Whether a form would lose changes now. */
export function haveUnsaved(): boolean {
  return [...forms].some((hasUnsaved) => hasUnsaved());
}
