import messages from './en/api-settings.json' with { type: 'json' };
import { translator } from './translator.ts';

export const apiSettings = translator(messages);
