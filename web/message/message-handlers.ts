import type { ComponentType } from 'react';
import type { MessageView } from './message-view.ts';

/** The actions of a person on the messages of a conversation. Absent functions have no buttons. */
export type MessageHandlers = {
  /** Answers with a button or a row of the message. */
  onChoose?: (messageId: string, key: string) => void;
  /** Reacts to the message. An empty emoji takes the reaction back. */
  onReact?: (messageId: string, emoji: string) => void;
  /** Begins an answer that quotes the message. */
  onReply?: (messageId: string) => void;
  /**
   * Draws the buttons to react and reply, which are `MessageTools`. Given by the application, so that an
   * application without them does not load their code.
   */
  Tools?: ComponentType<{ view: MessageView; handlers: MessageHandlers }>;
};
