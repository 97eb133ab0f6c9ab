import messages from './en/audit.json' with { type: 'json' };
import { translator } from './translator.ts';

export const audit = translator(messages);
