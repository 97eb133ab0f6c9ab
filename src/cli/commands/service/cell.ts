import { Argument, type Command } from 'commander';
import type { Config } from '../../../config.ts';
import { listAddresses, listSlugs, type MapKind } from '../../../moving/proxy/cell-map.ts';
import { writeMaps } from '../../../moving/proxy/write-maps.ts';
import type { Db } from '../../../platform/database/database.ts';
import { CommandError, withServices } from '../../command.ts';
import { listCells, openCellDatabase } from '../../open-cell.ts';

export function cellCommands(program: Command): void {
  const cell = program.command('cell').description('Run several installations behind one proxy.');

  withServices(
    cell
      .command('map')
      .description('Print the lines of this cell in a map of HAProxy; see docs/scaling.md.')
      .addArgument(new Argument('<what>', 'the map').choices(['tenants', 'addresses'])),
    async ({ db, config }, what: MapKind) => {
      const name = nameOfCell(config);
      const keys = what === 'tenants' ? await listSlugs(db) : await listAddresses(db, name);
      return {
        json: { cell: name, keys },
        text: keys.map((key) => `${key} ${name}`).join('\n'),
      };
    },
  );

  withServices(
    cell
      .command('write-maps')
      .description('Write the maps of HAProxy with the lines of all cells; see docs/scaling.md.'),
    async ({ db, config }) => {
      const name = nameOfCell(config);
      if (config.proxyMaps === '') {
        throw new CommandError('Set PARLEY_PROXY_MAPS to the folder of the maps.');
      }
      const others = (await listCells(config.cellsDir)).filter((other) => other !== name);
      const cells = new Map<string, Db>([[name, db]]);
      await using opened = new AsyncDisposableStack();
      for (const other of others) {
        const { db, close } = await openCellDatabase(config, other);
        opened.defer(close);
        cells.set(other, db);
      }
      const lines = await writeMaps(config.proxyMaps, cells);
      return {
        json: { cells: [...cells.keys()], lines },
        text: `Wrote ${lines.tenants} tenants and ${lines.addresses} addresses of ${[...cells.keys()].join(', ')}.`,
      };
    },
  );
}

function nameOfCell({ cell }: Config): string {
  if (cell === '') throw new CommandError('This installation has no name: PARLEY_CELL.');
  return cell;
}
