// Written by `npm run texts`.
declare const messages: {
  "title": "Requests",
  "intro": "The requests of your API tokens in the last seven days, or in the time for which messages are kept, newest first. Of more than ten in a second, some are only counted.",
  "emptyTitle": "No requests yet",
  "emptyText": "Requests with one of your API tokens appear here within seconds. Those of this dashboard don’t.",
  "toTokens": "Go to API tokens",
  "nothing": "No requests match.",
  "status": "Status",
  "anyStatus": "Any status",
  "statuses": {
    "2": "2xx: successful",
    "4": "4xx: refused",
    "5": "5xx: failed"
  },
  "method": "Method",
  "anyMethod": "Any method",
  "token": "Token",
  "anyToken": "Any token",
  "path": "Part of the path",
  "requestId": "Request ID",
  "took": "{ms, number} ms",
  "leftOut": "{count, plural, one {# more request at this time is not listed.} other {# more requests at this time are not listed.}}",
  "at": "Time",
  "fullPath": "Path",
  "error": "Error",
  "requestBody": "Request body",
  "responseBody": "Response body",
  "noBodies": "Bodies were not logged, or the request had none.",
  "logBodies": "Log bodies for an hour",
  "bodiesOnTitle": "Bodies are logged until {time}",
  "bodiesOnText": "The first 4 kB of requests and responses are kept for seven days, and no longer than messages. One-time passwords, tokens and other secrets are masked.",
  "stopBodies": "Stop now",
  "bodiesOn": "Bodies are logged for an hour.",
  "bodiesOff": "Bodies are no longer logged."
};
export = messages;
