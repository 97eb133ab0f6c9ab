// Written by `npm run texts`.
declare const messages: {
  "title": "Templates",
  "intro": "Messages that WhatsApp has approved for writing to people outside the 24-hour window. You create them in <manager>Meta’s WhatsApp Manager</manager>.",
  "sync": "Sync now",
  "synced": "{templates, plural, one {Synced: # template, {approved, number} approved.} other {Synced: # templates, {approved, number} approved.}}",
  "lastSync": "Last synced <ago></ago>",
  "neverSynced": "Never synced",
  "syncProblem": "Last sync failed",
  "emptyTitle": "No templates yet",
  "emptyText": "Create templates in Meta’s WhatsApp Manager. They appear here within an hour, or immediately if you choose “Sync now”.",
  "noNumberTitle": "Connect a number first",
  "noNumberText": "Its templates then appear here automatically.",
  "connectNumber": "Go to Numbers",
  "search": "Search templates",
  "account": "WhatsApp account",
  "accountOf": "Account of {numbers}",
  "onlyApproved": "Approved only",
  "nothing": "No templates match.",
  "states": {
    "APPROVED": "Approved",
    "PENDING": "In review",
    "REJECTED": "Rejected",
    "PAUSED": "Paused",
    "DISABLED": "Disabled",
    "IN_APPEAL": "In appeal",
    "LIMIT_EXCEEDED": "Limit exceeded",
    "PENDING_DELETION": "Being deleted",
    "DELETED": "Deleted",
    "ARCHIVED": "Archived"
  },
  "rejected": "WhatsApp’s reason: {reason}",
  "rejections": {
    "ABUSIVE_CONTENT": "WhatsApp rejected it because its content breaks the rules for businesses.",
    "INCORRECT_CATEGORY": "WhatsApp rejected it because its text belongs to another category.",
    "INVALID_FORMAT": "WhatsApp rejected it because of its format, such as its placeholders.",
    "PROMOTIONAL": "WhatsApp rejected it because it advertises, which only the category Marketing may.",
    "SCAM": "WhatsApp rejected it because it looks like fraud.",
    "TAG_CONTENT_MISMATCH": "WhatsApp rejected it because its text does not fit its language or category."
  },
  "cannotSend": "Contains {part}, which Parley can’t fill in.",
  "codeBody": "'{{'1'}}' is your verification code.",
  "chooseTitle": "Send a template",
  "template": "Template",
  "missing": "{name} (no longer approved)",
  "choose": "Choose a template",
  "noneApproved": "You have no approved templates yet.",
  "toTemplates": "Go to Templates",
  "field": "Field {number, number}",
  "mediaUrl": "URL of the header file",
  "mediaUrlHint": "A public https:// address of a file of the right type.",
  "send": "Send",
  "categories": {
    "MARKETING": "Marketing",
    "UTILITY": "Utility",
    "AUTHENTICATION": "Authentication"
  }
};
export = messages;
