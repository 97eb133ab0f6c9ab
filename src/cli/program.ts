import { Command } from 'commander';
import about from '../../package.json' with { type: 'json' };
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
    .version(about.version, '-v, --version', 'which Parley this is')
    .description('Self-hosted business messaging over the WhatsApp Business Platform.')
    .configureOutput({
      // One line, as every failure.
      outputError: (text, write) =>
        write(`parley: ${text.trim().replaceAll('\n', ' ')} (add --help for the options)\n`),
    });
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
