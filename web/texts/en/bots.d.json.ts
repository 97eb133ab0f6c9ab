// Written by `npm run texts`.
declare const messages: {
  "title": "Bots",
  "intro": "Automatic replies to what customers write.",
  "create": "New bot",
  "emptyTitle": "No bots yet",
  "emptyText": "A bot replies to a keyword such as “opening hours” day and night, with a text or a template.",
  "active": "{name} is on",
  "kinds": {
    "message": "A text",
    "template": "A template"
  },
  "answerWith": "Reply with",
  "newTitle": "New bot",
  "editTitle": "Edit bot",
  "name": "Name",
  "nameHint": "Only your team sees it.",
  "match": "When a message",
  "matches": {
    "exact": "is exactly a keyword",
    "starts_with": "starts with a keyword",
    "contains": "contains a keyword",
    "first_message": "is the person’s first message",
    "any": "is anything else"
  },
  "matchHint": "If several bots match, only the most specific one replies.",
  "keywords": "Keywords",
  "keywordsHint": "One per line. Upper and lower case are treated the same.",
  "reply": "Text",
  "replyHint": "You can use {placeholders}. '{{'firstname|friend'}}' has a default value.",
  "pause": "After a reply to a person",
  "pauseHint": "Useful for a text that would annoy if it came after every message, such as opening hours.",
  "noPause": "reply to the next message as well",
  "pauseFor": "pause for {minutes, plural, =60 {an hour} =1440 {a day} one {a minute} other {# minutes}}",
  "noTemplate": "You have no approved template yet. See the Templates page.",
  "field": "Field {number, number}",
  "saved": "Bot saved.",
  "created": "Bot is live.",
  "deleteTitle": "Delete “{name}”?",
  "deleteText": "It stops replying. This cannot be undone; to pause the bot, switch it off instead.",
  "deleted": "Bot deleted.",
  "tryTitle": "Try it",
  "tryIntro": "Write as a customer would. Nothing is sent.",
  "tryText": "Message from a customer",
  "tryFirst": "This is the person’s first message",
  "try": "Try",
  "nobody": "No bot replies to this.",
  "answers": "“{name}” replies:",
  "cannot": "“{name}” matches but cannot reply: <problem></problem>",
  "logTitle": "Recent replies",
  "noLog": "No bot has replied yet.",
  "states": {
    "waiting": "Waiting",
    "sent": "Replied",
    "skipped": "Not sent",
    "failed": "Failed",
    "unknown": "Unknown"
  },
  "triggers": {
    "exact": "When a message is exactly: <keywords></keywords>",
    "starts_with": "When a message starts with: <keywords></keywords>",
    "contains": "When a message contains: <keywords></keywords>",
    "first_message": "When a person writes for the first time",
    "any": "When no other bot replies"
  },
  "answersBecause": "“{name}” replies: <because>because of “{keyword}”</because>",
  "logEntry": "<bot></bot> · <ago></ago>"
};
export = messages;
