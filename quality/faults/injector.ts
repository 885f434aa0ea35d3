import type { GatewaySimulator } from '#simulators/gateway/server.ts'
import type { MailSimulator } from '#simulators/mail/simulator.ts'
import type { NetworkSimulator } from '#simulators/network/simulator.ts'
import type { SmsSimulator } from '#simulators/sms/simulator.ts'
import type { Random } from './random.ts'

export type Need = 'embedded' | 'postgres' | 'cluster' | 'pair' | 'processes'

export type Injector = {
  name: string
  needs: readonly Need[]
  /** The maximum number of seconds from the end of a fault until all orders that were still open at its end are settled. */
  settlesWithin: number
  /** The maximum duration of a fault in seconds. The run stops the fault after that time, or sooner if the run is short. */
  lasts: number
  start(world: FaultWorld, random: Random): Promise<ActiveFault> | ActiveFault
  /**
   * Matches the reasons of tasks that this fault makes necessary even if all ledgers agree in the end: either Fantail cannot know that they
   * agree, or a provider has contradicted itself.
   */
  warrants?: readonly RegExp[]
}

/** Milliseconds from the end of a fault until the next order is acknowledged, and until the next order is settled; null if none was. */
export type Recovery = { acknowledgedMs: number | null; settledMs: number | null }

export type ActiveFault = {
  /** Ends the fault and restores normal operation: processes are running, proxies pass on data, and servers are up. */
  stop(): Promise<void>
}

export type FaultProcess = {
  name: string
  url: string
  dataDir: string
  env: Readonly<Record<string, string>>
  pid(): number | null
  /**
   * Sends SIGKILL to the process and resolves once it is dead. After the restart delay set in its systemd unit, the process starts again.
   */
  kill(): Promise<void>
  freeze(): void
  thaw(): void
  /**
   * Stops the process gracefully and starts it again, either with additional environment variables or with the original environment.
   * Resolves once the process is ready.
   */
  restart(besides?: Record<string, string>): Promise<void>
  /** Sets the running process's wall clock wrong by this many seconds. The process must have been started with `CLOCK_SKEW_SECONDS`. */
  skewClock(seconds: number): Promise<void>
  ready(withinMs?: number): Promise<void>
}

export type DatabaseProxy = {
  cut(): Promise<void>
  silence(): void
  mend(): Promise<void>
}

export type FaultCluster = {
  stop(how: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  /** Fills up the server's disk and returns a function that frees it again. This function is absent if the disk cannot be filled. */
  fillDisk?(): Promise<() => Promise<void>>
}

export type FailoverControls = {
  killPrimary(): Promise<void>
  promote(): Promise<void>
  vanish(): Promise<void>
  rebuild(): Promise<void>
}

export type FaultDatabase = {
  url: string
  /** Whether connections are shared through a pooler that does not support prepared statements. */
  isPooled?: boolean
  /** Runs a statement on the current primary, in Fantail's database but on a separate connection. */
  run(statement: string, parameters?: unknown[]): Promise<Record<string, unknown>[]>
  /** Returns a connection string that bypasses the proxies and leads to the current primary. The auditor uses it. */
  direct(): string
  lines: DatabaseProxy[]
  cluster: FaultCluster | null
  pair: FailoverControls | null
  close(): Promise<void>
}

export type FaultWorld = {
  url: string
  processes: FaultProcess[]
  /** The database server; null if the database is embedded in `processes[0].dataDir`. */
  database: FaultDatabase | null
  gateway: GatewaySimulator
  network: NetworkSimulator
  mail: MailSimulator
  texts: SmsSimulator
  provider: Record<'gateway' | 'network' | 'mail' | 'texts', ProviderProxy>
  leaseSeconds: number
  signal: AbortSignal
  log(event: string): void
  complain(text: string): void
  activeFaults(): string
  passTime(duration: { hours: number }): Promise<void>
  tellRecovery(fault: string, recovery: Recovery): void
}

export type ProviderProxy = {
  /** Chooses what goes wrong with each request. If the function is null or returns null, the request goes through unchanged. */
  disturb: ((call: { method: string; path: string }) => Disturbance | null) | null
}

export type Disturbance =
  /** Responds with this status without carrying out the request. A mail connection is always refused with 421. */
  | { kind: 'error'; status: number }
  /** Closes the connection without carrying out the request. */
  | { kind: 'hang up' }
  /** Carries out the request, but closes the connection instead of responding. */
  | { kind: 'lose answer' }
  /**
   * Carries out the HTTP request, but delays the response by this many milliseconds. Mail connections are delayed before they reach the
   * relay.
   */
  | { kind: 'slow'; ms: number }
  | CorruptResponse

/** A useless response to a request that the provider did carry out. `nth` selects one of several such responses. */
export type CorruptResponse =
  | { kind: 'garbled'; nth: number }
  /** A response body that never ends. With `isSlow`, it arrives one byte at a time. */
  | { kind: 'endless'; isSlow: boolean }
  /** The correct response, but preceded by 32 MB of padding. */
  | { kind: 'huge' }
  | { kind: 'wrong'; nth: number }
