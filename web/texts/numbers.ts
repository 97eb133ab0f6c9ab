import messages from './en/numbers.json' with { type: 'json' };
import { translator } from './translator.ts';

export const numbers = translator(messages);
