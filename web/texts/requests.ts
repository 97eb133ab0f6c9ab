import messages from './en/requests.json' with { type: 'json' };
import { translator } from './translator.ts';

export const requests = translator(messages);
