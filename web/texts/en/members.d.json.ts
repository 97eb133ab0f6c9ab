// Written by `npm run texts`.
declare const messages: {
  "title": "Members",
  "intro": "Who may sign in to this dashboard.",
  "roles": {
    "owner": "Owner",
    "staff": "Staff"
  },
  "rolesHint": "Owners may do everything. Staff work with contacts, conversations and bots, but change no API access, numbers, webhooks, stores or members.",
  "you": "you",
  "twoFactor": "Two-step sign-in",
  "lastSeen": "last seen",
  "neverSeen": "never signed in",
  "invite": "Invite",
  "inviteTitle": "Invite a member",
  "email": "Email",
  "role": "Role",
  "roleOf": "Role of {name}: ",
  "createLink": "Make a link",
  "linkTitle": "Send this link",
  "linkText": "It works once, within 7 days, and is not shown again. Send it to {email} only: whoever opens it first becomes the member.",
  "link": "Link",
  "open": "Invitations not used yet",
  "expires": "expires",
  "withdraw": "Withdraw",
  "withdrawn": "The link no longer works.",
  "remove": "Remove",
  "removeTitle": "Remove {name}?",
  "removeText": "The person loses access at once. What they did stays.",
  "removed": "The person is no longer a member.",
  "roleChanged": "The role is changed."
};
export = messages;
