// Written by `npm run texts`.
declare const messages: {
  "today": "Today",
  "yesterday": "Yesterday",
  "now": "just now",
  "soon": "in a moment"
};
export = messages;
