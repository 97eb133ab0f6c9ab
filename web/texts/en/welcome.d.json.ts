// Written by `npm run texts`.
declare const messages: {
  "title": "Welcome to {tenant}",
  "accept": {
    "join": "Choose a password for {email} to get started.",
    "reset": "Choose a new password for {email}. It replaces the old one, switches two-step verification off and ends all sessions."
  },
  "acceptByAccount": "Enter your existing password for {email} to get started.",
  "hasAccount": "I already use Parley with this email",
  "hasAccountHint": "You can then reach all your businesses with one account.",
  "name": "Your name",
  "newPassword": "New password",
  "password": "Password",
  "passwordHint": "At least 10 characters. Several words in a row are easy to remember and hard to guess.",
  "submit": "Sign in",
  "loading": "Checking your invitation",
  "noSecret": "This address is incomplete. Open the whole link that you received.",
  "toSignIn": "Go to sign in"
};
export = messages;
