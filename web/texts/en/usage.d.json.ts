// Written by `npm run texts`.
declare const messages: {
  "title": "Plan and usage",
  "intro": "Limits apply per token. Days end at midnight UTC.",
  "plans": {
    "starter": "Starter",
    "growth": "Growth",
    "pro": "Pro",
    "enterprise": "Enterprise"
  },
  "plan": "Your plan: {plan}",
  "compare": "All plans",
  "planName": "Plan",
  "requestsColumn": "Requests per minute",
  "messagesColumn": "Messages per day",
  "noLimit": "Unlimited",
  "changePlan": "Ask your operator to change the plan. Changes apply immediately.",
  "todayTitle": "Today",
  "usedOf": "{used, number} of {limit, plural, one {# message} other {# messages}}",
  "used": "{used, plural, one {# message} other {# messages}}",
  "nearLimit": "Most of today’s messages have been used.",
  "usedUp": "All of today’s messages have been used. Further messages are refused until midnight UTC.",
  "requestsTitle": "Requests per day",
  "messagesTitle": "Messages per day",
  "answered": "Successful",
  "refused": "Refused",
  "failed": "Failed",
  "texts": "Texts",
  "media": "Media",
  "templates": "Templates",
  "emptyTitle": "No usage yet",
  "emptyText": "Usage appears here after a token’s first request.",
  "notCounted": "Nothing in this period. New requests appear within seconds.",
  "toApi": "Go to API tokens",
  "requestsOf": "Requests per day of {name}"
};
export = messages;
