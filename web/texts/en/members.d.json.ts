// Written by `npm run texts`.
declare const messages: {
  "title": "Members",
  "intro": "The people who can sign in to this dashboard.",
  "roles": {
    "owner": "Owner",
    "staff": "Staff"
  },
  "rolesHint": "Owners can do everything. Staff can work with contacts, conversations and bots, but can’t change API access, numbers, webhooks, stores or members.",
  "you": "You",
  "twoFactor": "Two-step verification",
  "lastSeen": "{email} · last seen <ago></ago>",
  "neverSeen": "{email} · never signed in",
  "invite": "Invite",
  "inviteTitle": "Invite a member",
  "email": "Email",
  "role": "Role",
  "roleOf": "Role of {name}: ",
  "createLink": "Create link",
  "linkTitle": "Send this link",
  "linkText": "It works once, expires after 7 days, and won’t be shown again. Send it only to {email}: the first person to open it becomes the member.",
  "link": "Link",
  "open": "Pending invitations",
  "expires": "{role} · expires <ago></ago>",
  "withdraw": "Withdraw",
  "withdrawn": "Invitation withdrawn.",
  "remove": "Remove",
  "removeTitle": "Remove {name}?",
  "removeText": "They lose access immediately. Their messages and changes stay.",
  "removed": "Member removed.",
  "roleChanged": "Role changed.",
  "withdrawNamed": "Withdraw {email}",
  "removeNamed": "Remove {name}"
};
export = messages;
