import { Command } from 'commander';
import { botCommands } from './bot.ts';
import { contactCommands } from './contact.ts';
import { demoCommand } from './demo.ts';
import { doctorCommand } from './doctor.ts';
import { memberCommands } from './member.ts';
import { numberCommands } from './number.ts';
import { serveCommand } from './serve.ts';
import { storeCommands } from './store.ts';
import { templateCommands } from './template.ts';
import { tenantCommands } from './tenant.ts';
import { tokenCommands } from './token.ts';
import { webhookCommands } from './webhook.ts';

/** The command with every noun and verb; nothing runs until it parses. */
export function createProgram(): Command {
  const program = new Command('parley')
    .description('Self-hosted business messaging over the WhatsApp Business Platform.')
    .showHelpAfterError('(add --help for the options)');
  serveCommand(program);
  demoCommand(program);
  tenantCommands(program);
  tokenCommands(program);
  numberCommands(program);
  webhookCommands(program);
  storeCommands(program);
  templateCommands(program);
  botCommands(program);
  memberCommands(program);
  contactCommands(program);
  doctorCommand(program);
  return program;
}
