import messages from './en/usage.json' with { type: 'json' };
import { translator } from './translator.ts';

export const usage = translator(messages);
