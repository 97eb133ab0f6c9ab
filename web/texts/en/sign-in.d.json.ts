// Written by `npm run texts`.
declare const messages: {
  "title": "Sign in",
  "email": "Email",
  "password": "Password",
  "submit": "Sign in",
  "noAccount": "No account yet? Ask your business or your operator for an invitation link.",
  "forgotten": "Forgotten your password? Ask your operator for a link to reset it.",
  "codeTitle": "Two-step verification",
  "codeIntro": "Enter the six digits that your authenticator app shows.",
  "code": "Code",
  "backupIntro": "Enter one of your backup codes. Each works once.",
  "backupCode": "Backup code",
  "lost": "No phone and no backup codes? Ask your operator for a link that switches two-step verification off.",
  "useBackup": "Use a backup code",
  "useApp": "Use the authenticator app",
  "verify": "Continue",
  "trust": "Don’t ask again on this device for 30 days",
  "startOver": "Start over"
};
export = messages;
