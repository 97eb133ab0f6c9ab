// Written by `npm run texts`.
declare const messages: {
  "account": "Your account",
  "connect": "Connect",
  "darkMode": "Dark",
  "lightMode": "Light",
  "manage": "Manage",
  "menu": "Menu",
  "navigation": "Main",
  "notFoundTitle": "Page not found",
  "notFoundText": "This page doesn’t exist, or you don’t have access to it.",
  "removedTitle": "You are no longer a member of {tenant}",
  "removedText": "An owner has removed you. If this is a mistake, ask for a new invitation link.",
  "notFoundAction": "Go to home",
  "noTenantTitle": "You don’t have access to a business yet",
  "noTenantText": "Ask an owner of the business, or your operator, for an invitation link.",
  "pageProblem": "This page couldn’t be opened",
  "signOut": "Sign out",
  "skipToContent": "Skip to content",
  "switchTenant": "Switch business",
  "systemMode": "System",
  "theme": "Appearance",
  "nav": {
    "overview": "Overview",
    "conversations": "Conversations",
    "contacts": "Contacts",
    "labels": "Labels",
    "templates": "Templates",
    "bots": "Bots",
    "api": "API",
    "requests": "Requests",
    "numbers": "Numbers",
    "webhook": "Webhook",
    "stores": "Stores",
    "usage": "Plan and usage",
    "members": "Members"
  }
};
export = messages;
