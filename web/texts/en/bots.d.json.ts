// Written by `npm run texts`.
declare const messages: {
  "title": "Bots",
  "intro": "They answer by themselves what your customers write, by keyword.",
  "create": "New bot",
  "emptyTitle": "No bots yet",
  "emptyText": "A bot answers a keyword such as “opening hours” at once, day and night: with a text, or with a template.",
  "active": "{name} answers",
  "kinds": {
    "message": "A text",
    "template": "A template"
  },
  "answerWith": "Answer with",
  "newTitle": "New bot",
  "editTitle": "Edit bot",
  "name": "Name",
  "nameHint": "Only you see it.",
  "match": "Answers when the message",
  "matches": {
    "exact": "is exactly a keyword",
    "starts_with": "starts with a keyword",
    "contains": "contains a keyword",
    "first_message": "is the first that a person ever writes",
    "any": "is anything at all"
  },
  "answersTo": {
    "exact": "To exactly",
    "starts_with": "To what starts with",
    "contains": "To what contains",
    "first_message": "To the first message of a person",
    "any": "To every message that no other bot answers"
  },
  "matchHint": "Of several bots that match, the most exact answers; one answer to each message.",
  "keywords": "Keywords",
  "keywordsHint": "One on each line. Capital and small letters are the same.",
  "reply": "Text",
  "replyHint": "You can use {placeholders}; '{{'firstname|friend'}}' has a default.",
  "noTemplate": "No template can be sent yet: the page “Templates” says which there are, and which are approved.",
  "field": "Field {number, number}",
  "saved": "The bot is saved.",
  "created": "The bot answers from now on.",
  "deleteTitle": "Delete “{name}”?",
  "deleteText": "It answers no more. This cannot be undone; to stop it for a while, switch it off.",
  "deleted": "The bot is deleted.",
  "tryTitle": "Try it",
  "tryIntro": "Write as a customer would; nothing is sent.",
  "tryText": "Message of a customer",
  "tryFirst": "It is this person’s first message",
  "try": "Try",
  "nobody": "No bot answers this.",
  "answers": "“{name}” answers:",
  "matched": "because of “{keyword}”",
  "cannot": "“{name}” matches, but cannot answer: {problem}",
  "logTitle": "What they answered",
  "noLog": "No bot has answered yet.",
  "states": {
    "waiting": "Waiting",
    "sent": "Answered",
    "skipped": "Not answered",
    "failed": "Failed",
    "unknown": "Not known"
  }
};
export = messages;
