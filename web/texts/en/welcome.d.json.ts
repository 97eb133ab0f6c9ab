// Written by `npm run texts`.
declare const messages: {
  "title": "Welcome to {tenant}",
  "accept": {
    "join": "Choose a password for {email}, and you are in.",
    "reset": "Choose a new password for {email}. It replaces the old one, switches two-step sign-in off and ends all sessions."
  },
  "acceptByAccount": "Enter the password that you already use for {email}, and you are in.",
  "hasAccount": "I already sign in to Parley with this email",
  "hasAccountHint": "Then you reach all your businesses with one sign-in.",
  "name": "Your name",
  "newPassword": "New password",
  "password": "Password",
  "passwordHint": "At least 10 characters. A few words in a row are easy to remember and hard to guess.",
  "submit": "Sign in",
  "loading": "Looking at your invitation",
  "noSecret": "This address is incomplete. Open the whole link that you were given.",
  "toSignIn": "To sign-in"
};
export = messages;
