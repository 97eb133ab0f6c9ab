export const signIn = {
  title: 'Sign in',
  email: 'Email',
  password: 'Password',
  submit: 'Sign in',
  noAccount: 'No account yet? You get one by an invitation link of your business or your operator.',
  forgotten: 'Password forgotten? Your operator can make a link that sets a new one.',
  codeTitle: 'Second step',
  codeIntro: 'Enter the six digits that your authenticator app shows.',
  code: 'Code',
  backupIntro: 'Enter one of the backup codes that you kept. Each works once.',
  backupCode: 'Backup code',
  lost: 'Lost your phone, and no backup code left? Your operator can make a link that switches this step off.',
  useBackup: 'Use a backup code',
  useApp: 'Use the authenticator app',
  verify: 'Continue',
  trust: 'Do not ask on this device for 30 days',
  startOver: 'Start over',
};

export const welcome = {
  title: (tenant: string) => `Welcome to ${tenant}`,
  accept: {
    join: (email: string) => `Choose a password for ${email}, and you are in.`,
    reset: (email: string) =>
      `Choose a new password for ${email}. It replaces the old one, switches two-step sign-in off and ends all sessions.`,
  },
  acceptByAccount: (email: string) =>
    `Enter the password that you already use for ${email}, and you are in.`,
  hasAccount: 'I already sign in to Parley with this email',
  hasAccountHint: 'Then you reach all your businesses with one sign-in.',
  name: 'Your name',
  newPassword: 'New password',
  password: 'Password',
  passwordHint:
    'At least 10 characters. A few words in a row are easy to remember and hard to guess.',
  submit: 'Sign in',
  loading: 'Looking at your invitation',
  noSecret: 'This address is incomplete. Open the whole link that you were given.',
  toSignIn: 'To sign-in',
};
