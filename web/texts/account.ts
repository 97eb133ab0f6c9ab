import messages from './en/account.json' with { type: 'json' };
import { translator } from './translator.ts';

export const account = translator(messages);
