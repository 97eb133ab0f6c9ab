// Written by `npm run texts`.
declare const messages: {
  "title": "Overview",
  "sent": "Sent",
  "sentHint": "accepted by the network",
  "deliveryRate": "Delivery rate",
  "deliveryHint": "of known outcomes",
  "failed": "Failed",
  "failedHint": "never reached the phone",
  "received": "Received",
  "receivedHint": "messages from customers",
  "chartTitle": "Messages a day",
  "delivered": "Delivered",
  "onTheWay": "On the way",
  "unknown": "Unknown",
  "noMessages": "No messages in these days.",
  "failuresTitle": "Why messages failed",
  "noFailures": "Nothing failed in these days.",
  "times": "{count, plural, one {once} other {# times}}",
  "last": "last",
  "problemTitle": "Number {phone} does not send",
  "look": "Look at it",
  "inClearTitle": "A token was sent over plain HTTP",
  "stepsTitle": "First steps",
  "stepsIntro": "Three things, and your first message is on its way.",
  "steps": {
    "number": {
      "title": "Connect a number",
      "text": "The WhatsApp number that your messages go out from."
    },
    "token": {
      "title": "Switch the API on",
      "text": "Generate a token and save the settings, so that your shop or app can call."
    },
    "message": {
      "title": "Send a message",
      "text": "By API, or from a conversation here."
    }
  },
  "stepDone": "done",
  "healthTitle": "Webhook and stores",
  "noHealth": "Nothing is connected yet. A webhook tells your server what changes; a store sends messages for its orders.",
  "webhook": "Webhook",
  "setUpWebhook": "Set up a webhook",
  "connectStore": "Connect a store",
  "webhookOn": "Delivers",
  "webhookFull": "Too many events wait to be delivered, and some are dropped",
  "webhookFailing": "Every delivery fails; the first did",
  "webhookOff": "Off",
  "storeWell": "{messages, plural, one {# message sent in 28 days} other {# messages sent in 28 days}}",
  "storeQuiet": "Silent; the last post came",
  "storeFailed": "{failed, number} failed, {refused, number} refused in 28 days",
  "well": "Working",
  "new": "New",
  "attention": "Attention",
  "off": "Off"
};
export = messages;
