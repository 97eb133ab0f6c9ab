// Written by `npm run texts`.
declare const messages: {
  "palette": "Search or jump to",
  "palettePlaceholder": "Search pages, actions, people…",
  "shortcuts": "Keyboard shortcuts",
  "singleKeys": "Shortcuts without Ctrl or ⌘",
  "singleKeysHint": "Switch these off if you press keys by accident, for example with speech input.",
  "newMessage": "New message",
  "newContact": "New contact",
  "importContacts": "Import contacts",
  "exportContacts": "Export contacts",
  "inviteMember": "Invite a member",
  "searchPage": "Search on this page",
  "nextConversation": "Next conversation",
  "previousConversation": "Previous conversation",
  "nextEntry": "Next entry of the list in focus",
  "previousEntry": "Previous entry of the list in focus",
  "reply": "Write a reply",
  "toList": "Back to the list",
  "sections": {
    "pages": "Go to",
    "connect": "Connect",
    "manage": "Manage",
    "actions": "Actions",
    "page": "On the page",
    "general": "General"
  }
};
export = messages;
