import { changed, store } from './store.js';

const app = document.getElementById('app');

/** Opens the chats or the conversation. On a narrow screen one of them fills it. */
export function openScreen(screen) {
  app.dataset.screen = screen;
  changed(screen === 'conversation' ? 'message' : 'list');
}

/** Returns to the chats if a conversation fills the screen. */
export function leaveConversation() {
  if (app.dataset.screen === 'conversation') openScreen('chats');
}

/** Tells whether the conversation is visible. On a narrow screen the chats can hide it. */
export function isConversationOpen() {
  return (
    store.numberId && getComputedStyle(document.getElementById('conversation')).display !== 'none'
  );
}
