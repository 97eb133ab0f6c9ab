import messages from './en/conversations.json' with { type: 'json' };
import { translator } from './translator.ts';

export const conversations = translator(messages);
