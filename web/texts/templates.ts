import messages from './en/templates.json' with { type: 'json' };
import { translator } from './translator.ts';

export const templates = translator(messages);
