import type { ActorRow, EntryRow } from './queries.ts';

/** Presents who made a change; the operator and the system have no id. */
export function presentActor({ actor_kind, actor_id, actor_name, actor_email }: ActorRow) {
  return { kind: actor_kind, id: actor_id || null, name: actor_name, email: actor_email };
}

export function presentEntry(row: EntryRow) {
  const { id, at, action, subject_id, subject_name, changes } = row;
  const hasSubject = subject_id !== null || subject_name !== null;
  return {
    id,
    at: at.toISOString(),
    actor: presentActor(row),
    action,
    subject: hasSubject ? { id: subject_id, name: subject_name } : null,
    changes,
  };
}
