import signInMessages from './en/sign-in.json' with { type: 'json' };
import welcomeMessages from './en/welcome.json' with { type: 'json' };
import { translator } from './translator.ts';

export const signIn = translator(signInMessages);
export const welcome = translator(welcomeMessages);
