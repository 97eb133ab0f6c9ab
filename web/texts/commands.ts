import messages from './en/commands.json' with { type: 'json' };
import { translator } from './translator.ts';

export const commands = translator(messages);
