// Written by `npm run texts`.
declare const messages: {
  "title": "Plan and usage",
  "intro": "Limits hold for each token by itself. A day ends at midnight UTC.",
  "plans": {
    "starter": "Starter",
    "growth": "Growth",
    "pro": "Pro",
    "enterprise": "Enterprise"
  },
  "plan": "Your plan",
  "compare": "All plans",
  "planName": "Plan",
  "requestsColumn": "Requests a minute",
  "messagesColumn": "Messages a day",
  "noLimit": "Unlimited",
  "changePlan": "Your operator changes the plan; it holds within a second.",
  "todayTitle": "Today",
  "usedOf": "{used, number} of {limit, plural, one {# message} other {# messages}}",
  "used": "{used, plural, one {# message} other {# messages}}",
  "nearLimit": "Most of today’s messages are used up.",
  "usedUp": "Today’s messages are used up. More are refused until midnight UTC.",
  "requestsTitle": "Requests a day",
  "messagesTitle": "Messages a day",
  "answered": "Answered",
  "refused": "Refused",
  "failed": "Failed",
  "texts": "Texts",
  "media": "Media",
  "templates": "Templates",
  "emptyTitle": "Nothing used yet",
  "emptyText": "As soon as a token makes a request, it shows up here.",
  "notCounted": "None in these days. New ones show up within seconds.",
  "toApi": "To API tokens",
  "requestsOf": "Requests a day of {name}"
};
export = messages;
