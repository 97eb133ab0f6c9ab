import pg from 'pg';

const tooManyConnections = '53300';
const probeEveryMs = 250;

type OnConnection = (
  error: Error | undefined,
  client: pg.PoolClient | undefined,
  release: (error?: Error | boolean) => void,
) => void;

/**
 * A pool that waits while the server refuses further connections because other programs use them. Until then, the
 * pool works with the connections that it has, and tries to open one more four times a second. (pg's own pool fails
 * the statement that would have needed the new connection.)
 */
export class PatientPool extends pg.Pool {
  readonly #max: number;
  readonly #others: () => Iterable<PatientPool>;
  #connected = 0;
  /** The error of the server while it refuses connections. */
  #refusal: Error | undefined;

  /** @param others the other pools of this process, which give up idle connections for this one */
  constructor(config: pg.PoolConfig, others: () => Iterable<PatientPool> = () => []) {
    super(config);
    this.#max = this.options.max;
    this.#others = others;
    this.on('connect', () => {
      this.#connected++;
      this.#endRefusal();
    });
    this.on('remove', () => {
      this.#connected--;
      this.#limit();
    });
  }

  /** Whether the server refuses connections, and there is none to wait for. */
  get isStarved(): boolean {
    return this.#refusal !== undefined && this.#connected === 0;
  }

  override connect(): Promise<pg.PoolClient>;
  override connect(onConnection: OnConnection): void;
  override connect(onConnection?: OnConnection): Promise<pg.PoolClient> | undefined {
    if (onConnection) {
      super.connect(this.#orWait(onConnection));
      return undefined;
    }
    return new Promise((resolve, reject) => {
      this.connect((error, client) => (client ? resolve(client) : reject(error)));
    });
  }

  /** Passes on a connection or an error, but puts a statement that the server refused back into the queue. */
  #orWait(onConnection: OnConnection): OnConnection {
    const startedAt = performance.now();
    const take: OnConnection = (error, client, release) => {
      const isRefused = (error as { code?: string } | undefined)?.code === tooManyConnections;
      if (!isRefused) {
        return onConnection(error && this.isStarved ? this.#refusal : error, client, release);
      }
      this.#refuse(error!);
      const waitedMs = performance.now() - startedAt;
      if (waitedMs >= (this.options.connectionTimeoutMillis ?? 0)) {
        return onConnection(error, client, release);
      }
      super.connect(take);
    };
    return take;
  }

  #refuse(error: Error): void {
    if (this.#refusal === undefined) setTimeout(() => this.#probe(), probeEveryMs).unref();
    this.#refusal = error;
    this.#limit();
  }

  /** Sets the maximum to the connections that exist, so that the pool queues all further statements. */
  #limit(): void {
    if (this.#refusal) this.options.max = this.#connected;
  }

  #endRefusal(): void {
    this.#refusal = undefined;
    this.options.max = this.#max;
  }

  /** Opens one more connection, if statements wait for one. */
  #probe(): void {
    if (this.#refusal === undefined || this.ending) return;
    if (this.waitingCount === 0) {
      this.#endRefusal();
      return;
    }
    setTimeout(() => this.#probe(), probeEveryMs).unref();
    if (this.isStarved) for (const other of this.#others()) other.#giveUpIdle();
    this.options.max = this.totalCount + 1;
    super.connect((_error, _client, release) => release());
    this.#limit();
  }

  /** Closes all connections that are not in use. */
  closeIdle(): void {
    for (let left = this.idleCount; left > 0; left--) this.#giveUpIdle();
  }

  #giveUpIdle(): void {
    if (this.idleCount > 0) super.connect((_error, _client, release) => release(true));
  }
}
