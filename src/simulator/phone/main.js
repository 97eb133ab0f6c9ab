import { showChats } from './chats.js';
import { showConversation } from './conversation.js';
import { drawUnpressed, toast } from './dom.js';
import { closeDrawer } from './drawer.js';
import { showRail } from './rail.js';
import { changed, readOpenChat, start, store, subscribe } from './store.js';

const app = document.getElementById('app');

subscribe((part) => {
  if (['all', 'phone', 'online'].includes(part)) drawUnpressed('rail', part, showRail);
  if (part !== 'reply') drawUnpressed('chats', part, showChats);
  drawUnpressed('conversation', part, showConversation);
  if (part === 'all' || part === 'message' || part === 'phone') {
    if (isConversationOpen()) readOpenChat().catch((error) => toast(error.message));
  }
});

document.addEventListener('visibilitychange', () => changed('message'));
window.addEventListener('resize', () => changed('list'));
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  if (closeDrawer()) return;
  if (app.dataset.screen === 'conversation' && !event.defaultPrevented) openScreen('chats');
});

/** On a narrow screen one of the two fills it. */
export function openScreen(screen) {
  app.dataset.screen = screen;
  changed(screen === 'conversation' ? 'message' : 'list');
}

// A chat that is hidden behind the list of a narrow screen is not being read.
function isConversationOpen() {
  return (
    store.numberId && getComputedStyle(document.getElementById('conversation')).display !== 'none'
  );
}

start().catch((error) => toast(error.message));
