import messages from './en/overview.json' with { type: 'json' };
import { translator } from './translator.ts';

export const overview = translator(messages);
