import messages from './en/message.json' with { type: 'json' };
import { translator } from './translator.ts';

export const message = translator(messages);
