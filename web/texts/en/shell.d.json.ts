// Written by `npm run texts`.
declare const messages: {
  "account": "Your account",
  "connect": "Connect",
  "darkMode": "Dark",
  "lightMode": "Light",
  "manage": "Manage",
  "menu": "Menu",
  "navigation": "Main",
  "notFoundTitle": "There is nothing here",
  "notFoundText": "The page does not exist, or you have no access to it.",
  "removedTitle": "You are no longer a member of {tenant}",
  "removedText": "An owner has taken you out. Ask for an invitation link if that was a mistake.",
  "notFoundAction": "To the start",
  "noTenantTitle": "You have no access to a tenant yet",
  "noTenantText": "Ask an owner of the business, or your operator, for an invitation link.",
  "pageProblem": "This page could not be opened",
  "signOut": "Sign out",
  "skipToContent": "Skip to content",
  "switchTenant": "Switch tenant",
  "systemMode": "As the system",
  "theme": "Appearance",
  "nav": {
    "overview": "Overview",
    "conversations": "Conversations",
    "contacts": "Contacts",
    "labels": "Labels",
    "templates": "Templates",
    "bots": "Bots",
    "api": "API",
    "numbers": "Numbers",
    "webhook": "Webhook",
    "stores": "Stores",
    "usage": "Plan and usage",
    "members": "Members"
  }
};
export = messages;
