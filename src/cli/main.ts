import { Command } from 'commander';
import { botCommands } from './bot.ts';
import { errorLine } from './command.ts';
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

try {
  await program.parseAsync();
} catch (error) {
  process.stderr.write(`parley: ${errorLine(error)}\n`);
  process.exitCode = 1;
}
