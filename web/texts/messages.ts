import texts from './en/messages.json' with { type: 'json' };
import { translator } from './translator.ts';

export const messages = translator(texts);
