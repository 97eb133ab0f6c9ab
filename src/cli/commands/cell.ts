import { Argument, type Command } from 'commander';
import { listAddresses, listSlugs, type MapKind } from '../../tenants/cell-map.ts';
import { CommandError, withServices } from '../command.ts';

export function cellCommands(program: Command): void {
  const cell = program.command('cell').description('Run several installations behind one proxy.');

  withServices(
    cell
      .command('map')
      .description('Print the lines of this cell in a map of HAProxy; see docs/scaling.md.')
      .addArgument(new Argument('<what>', 'the map').choices(['tenants', 'addresses'])),
    async ({ db, config }, what: MapKind) => {
      const name = config.cell;
      if (name === '') throw new CommandError('This installation has no name: PARLEY_CELL.');
      const keys = what === 'tenants' ? await listSlugs(db) : await listAddresses(db, name);
      return {
        json: { cell: name, keys },
        text: keys.map((key) => `${key} ${name}`).join('\n'),
      };
    },
  );
}
