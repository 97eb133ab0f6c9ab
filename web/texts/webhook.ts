import messages from './en/webhook.json' with { type: 'json' };
import { translator } from './translator.ts';

export const webhook = translator(messages);
