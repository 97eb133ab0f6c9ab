// Written by `npm run texts`.
declare const messages: {
  "title": "Overview",
  "sent": "Sent",
  "sentHint": "accepted by WhatsApp",
  "deliveryRate": "Delivery rate",
  "deliveryHint": "of known outcomes",
  "failed": "Failed",
  "failedHint": "not delivered",
  "received": "Received",
  "receivedHint": "messages from customers",
  "chartTitle": "Messages per day",
  "delivered": "Delivered",
  "onTheWay": "On the way",
  "unknown": "Unknown",
  "noMessages": "No messages in this period.",
  "failuresTitle": "Why messages failed",
  "showFailed": "Show failed messages",
  "noFailures": "No messages failed in this period.",
  "times": "{count, plural, one {once, <ago></ago>} other {# times, last <ago></ago>}}",
  "problemTitle": "Number {phone} can’t send",
  "look": "View",
  "inClearTitle": "A token was sent over plain HTTP",
  "stepsTitle": "First steps",
  "stepsIntro": "Three steps to your first message.",
  "steps": {
    "number": {
      "title": "Connect a number",
      "text": "The WhatsApp number that sends your messages."
    },
    "token": {
      "title": "Switch on API access",
      "text": "Generate a token and save the settings, so that your shop or app can use the API."
    },
    "message": {
      "title": "Send a message",
      "text": "Through the API, or from Conversations."
    }
  },
  "stepDone": "done",
  "healthTitle": "Webhook and stores",
  "noHealth": "Nothing is connected yet. A webhook notifies your server of changes. A store sends messages for its orders.",
  "webhook": "Webhook",
  "endpoint": "Webhook “{name}”",
  "setUpWebhook": "Set up a webhook",
  "connectStore": "Connect a store",
  "webhookOn": "Delivering",
  "webhookFull": "Too many events are waiting, so some are dropped",
  "webhookFailing": "Deliveries have been failing since <ago></ago>",
  "webhookPaused": "Paused <ago></ago>; events are kept",
  "webhookOff": "Off",
  "storeWell": "{messages, plural, one {# message sent in 28 days} other {# messages sent in 28 days}}",
  "storeQuiet": "No events lately; the last one came <ago></ago>",
  "storePaused": "Paused by the operator of Parley <ago></ago>; events are kept",
  "storeFailed": "{failed, number} failed, {refused, number} refused in 28 days",
  "well": "Works",
  "failing": "Failing",
  "attention": "Needs attention",
  "paused": "Paused",
  "off": "Off"
};
export = messages;
