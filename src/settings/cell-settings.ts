import * as parse from './parse-setting.ts';
import { setting } from './setting.ts';

export const cellSettings = {
  cell: setting(
    'PARLEY_CELL',
    '',
    'Name of this installation if there are several: the prefix of its callback and store URLs, and the start of its tenant ids. Up to 8 lower-case letters and digits; see docs/scaling.md.',
    parse.cell,
  ),
  cellsDir: setting(
    'PARLEY_CELLS_DIR',
    '',
    'Folder with the settings of the other cells, for `parley tenant move` and `parley cell write-maps`: eu2.env for the cell eu2; see docs/scaling.md.',
    parse.text,
  ),
  proxyMaps: setting(
    'PARLEY_PROXY_MAPS',
    '',
    'Folder with the tenants.map and addresses.map of HAProxy, which `parley tenant move` and `parley cell write-maps` change.',
    parse.text,
  ),
  proxySocket: setting(
    'PARLEY_PROXY_SOCKET',
    '',
    'Admin socket of HAProxy, a path or host:port, through which `parley tenant move` changes the maps of the running process.',
    parse.text,
  ),
  proxyHook: setting(
    'PARLEY_PROXY_HOOK',
    '',
    'Program that is run after a tenant has moved, with PARLEY_MOVED_TENANT and PARLEY_MOVED_TO, to reload or change another proxy.',
    parse.text,
  ),
};
