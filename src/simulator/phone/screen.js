import { changed, store } from './store.js';

const app = document.getElementById('app');

/** On a narrow screen one of the two fills it. */
export function openScreen(screen) {
  app.dataset.screen = screen;
  changed(screen === 'conversation' ? 'message' : 'list');
}

/** Goes back to the list where a conversation fills the screen. */
export function leaveConversation() {
  if (app.dataset.screen === 'conversation') openScreen('chats');
}

/** A chat that is hidden behind the list of a narrow screen is not being read. */
export function isConversationOpen() {
  return (
    store.numberId && getComputedStyle(document.getElementById('conversation')).display !== 'none'
  );
}
