import { randomUUID } from 'node:crypto';
import type { WatchedTopic } from '../../../tenants/watched-topics.ts';
import type { ConversationChange } from './conversation-changes.ts';

/** A changed conversation or topic. */
export type Change = ConversationChange | { topic: WatchedTopic };

export function isTopic(change: Change): change is { topic: WatchedTopic } {
  return 'topic' in change;
}

/** More than a tenant's changes in the seconds between two streams of a browser. */
const maxChanges = 1_000;

export type ChangeLog = ReturnType<typeof createChangeLog>;

/**
 * Remembers the latest changes of a tenant in this process, so that a browser whose stream ends learns with its
 * next one what it has missed. Positions are meaningful only to the log that gave them.
 */
export function createChangeLog() {
  const id = randomUUID();
  const changes: Change[] = [];
  /** The number of changes that were forgotten. */
  let forgotten = 0;

  return {
    /** The present position, for the `id` of an event. */
    position: (): string => `${id}.${forgotten + changes.length}`,

    add(change: Change): void {
      changes.push(change);
      if (changes.length < 2 * maxChanges) return;
      changes.splice(0, maxChanges);
      forgotten += maxChanges;
    },

    /** The changes after a position; undefined if the log does not know. */
    since(position: string): Change[] | undefined {
      const [logId, number] = position.split('.');
      const from = Number(number) - forgotten;
      if (logId !== id || !(from >= 0 && from <= changes.length)) return undefined;
      return changes.slice(from);
    },
  };
}
