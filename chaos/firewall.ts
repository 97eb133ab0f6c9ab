import { execFileSync } from 'node:child_process';

const mark = '1';

const run = (...given: string[]) => execFileSync('iptables', given);

/** Drops the queries to a name server on this port of this network namespace. */
export function firewallOfNames(port: number) {
  const rule = ['OUTPUT', '-p', 'udp', '--dport', String(port), '-j', 'DROP'];
  return {
    /** Nothing is answered. */
    die: () => void run('-A', ...rule),
    /** Another machine takes over the address. */
    replace: () => void run('-D', ...rule),
  };
}

/** Drops packets of connections to a port of this network namespace. It needs root and iptables. */
export function firewallOf(port: number) {
  const to = ['-p', 'tcp', '--dport', String(port)];
  const from = ['-p', 'tcp', '--sport', String(port)];
  const marking = ['-t', 'mangle', 'OUTPUT', ...to, '--syn', '-j', 'CONNMARK', '--set-mark', mark];
  const [table, name, chain, ...rule] = marking as [string, string, string, ...string[]];
  run(table, name, '-A', chain, ...rule);
  return {
    /** The machine behind the port dies: nothing is answered, and nothing is closed. */
    die(): void {
      for (const side of [to, from]) run('-A', 'OUTPUT', ...side, '-j', 'DROP');
    },
    /** The packets pass again. */
    revive(): void {
      for (const side of [to, from]) run('-D', 'OUTPUT', ...side, '-j', 'DROP');
    },
    /** Another machine takes over the address. It does not know the old connections, and does not answer them. */
    replace(): void {
      run(table, name, '-D', chain, ...rule);
      for (const side of [to, from]) {
        run('-I', 'OUTPUT', ...side, '-m', 'connmark', '--mark', mark, '-j', 'DROP');
        run('-D', 'OUTPUT', ...side, '-j', 'DROP');
      }
    },
  };
}
