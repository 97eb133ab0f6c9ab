// Written by `npm run texts`.
declare const messages: {
  "title": "Sign in",
  "email": "Email",
  "password": "Password",
  "submit": "Sign in",
  "noAccount": "No account yet? You get one by an invitation link of your business or your operator.",
  "forgotten": "Password forgotten? Your operator can make a link that sets a new one.",
  "codeTitle": "Second step",
  "codeIntro": "Enter the six digits that your authenticator app shows.",
  "code": "Code",
  "backupIntro": "Enter one of the backup codes that you kept. Each works once.",
  "backupCode": "Backup code",
  "lost": "Lost your phone, and no backup code left? Your operator can make a link that switches this step off.",
  "useBackup": "Use a backup code",
  "useApp": "Use the authenticator app",
  "verify": "Continue",
  "trust": "Do not ask on this device for 30 days",
  "startOver": "Start over"
};
export = messages;
