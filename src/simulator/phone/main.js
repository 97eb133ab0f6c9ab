import { showChats } from './chats.js';
import { showConversation } from './conversation.js';
import { attempt, drawUnpressed } from './dom.js';
import { closeDrawer } from './drawer.js';
import { showRail } from './rail.js';
import { isConversationOpen, leaveConversation } from './screen.js';
import { changed, readOpenChat, start, subscribe } from './store.js';

subscribe((part) => {
  if (['all', 'phone', 'online'].includes(part)) drawUnpressed('rail', part, showRail);
  if (part !== 'reply') drawUnpressed('chats', part, showChats);
  drawUnpressed('conversation', part, showConversation);
  if (part === 'all' || part === 'message' || part === 'phone') {
    if (isConversationOpen()) void attempt(readOpenChat);
  }
});

document.addEventListener('visibilitychange', () => changed('message'));
window.addEventListener('resize', () => changed('list'));
document.addEventListener('keydown', (event) => {
  if (event.key !== 'Escape') return;
  if (closeDrawer()) return;
  if (!event.defaultPrevented) leaveConversation();
});

void attempt(start);
