import type { Reaction } from './message-view.ts';

/** The reactions to the messages of a conversation, by the id of the message and by side. */
export type Reactions = Map<string, Map<boolean, Reaction>>;

/** Notes a reaction. The last one of each side counts, and an empty one takes the earlier one back. */
export function noteReaction(reactions: Reactions, messageId: string, reaction: Reaction): void {
  const bySide = reactions.get(messageId) ?? new Map<boolean, Reaction>();
  reactions.set(messageId, bySide);
  if (reaction.emoji) bySide.set(reaction.isMine, reaction);
  else bySide.delete(reaction.isMine);
}
