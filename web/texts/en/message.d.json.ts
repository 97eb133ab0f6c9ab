// Written by `npm run texts`.
declare const messages: {
  "me": "You: ",
  "them": "They: ",
  "kinds": {
    "card": "Message",
    "place": "Location",
    "contacts": "Contact"
  },
  "media": {
    "image": "Photo",
    "video": "Video",
    "audio": "Audio",
    "voice": "Voice message",
    "document": "Document",
    "sticker": "Sticker"
  },
  "items": "{count, plural, one {Order of # item} other {Order of # items}}",
  "total": "Total",
  "openFile": "Open the file",
  "enlarge": "Enlarge: {label}",
  "openInTab": "Open in a new tab",
  "notLoaded": "The file could not be loaded.",
  "copied": "Copied",
  "code": "Your browser doesn’t allow copying. The code is {code}.",
  "copyCode": "{text}: {code}",
  "leaves": "On a real phone, this button opens something outside the chat.",
  "react": "React",
  "reactWith": "React with",
  "reply": "Reply",
  "reactedBy": "{author}: {emoji}",
  "named": "{kind}: {content}"
};
export = messages;
