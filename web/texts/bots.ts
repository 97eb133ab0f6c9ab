import messages from './en/bots.json' with { type: 'json' };
import { translator } from './translator.ts';

export const bots = translator(messages);
