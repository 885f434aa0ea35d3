import type { GatewaySimulator } from '#simulators/gateway/server.ts'
import type { MailSimulator } from '#simulators/mail/simulator.ts'
import type { NetworkSimulator } from '#simulators/network/simulator.ts'
import type { SmsSimulator } from '#simulators/sms/simulator.ts'
import type { Random } from './random.ts'

export type Need = 'embedded' | 'postgres' | 'cluster' | 'pair' | 'processes'

export type Injector = {
  name: string
  needs: readonly Need[]
  /** Maximum seconds from the end of a fault until every open order must be settled. */
  settlesWithin: number
  /** Maximum duration of a fault in seconds. The run stops the fault after that time, or sooner in a short run. */
  lasts: number
  start(world: FaultWorld, random: Random): Promise<ActiveFault> | ActiveFault
  /**
   * Reasons of tasks that this fault makes necessary even if all ledgers agree in the end, because the product cannot know that, or because
   * a provider has contradicted itself.
   */
  warrants?: readonly RegExp[]
}

/** Milliseconds from a fault's end until another order is acknowledged, and until another order is settled; null where none was seen. */
export type Recovery = { acknowledgedMs: number | null; settledMs: number | null }

export type ActiveFault = {
  /** Ends the fault and restores normal operation: processes run, proxies pass data, and servers are up. */
  stop(): Promise<void>
}

export type FaultProcess = {
  name: string
  url: string
  dataDir: string
  env: Readonly<Record<string, string>>
  pid(): number | null
  /** Sends SIGKILL to the process, and resolves when it is dead. The process starts again after the restart delay of its systemd unit. */
  kill(): Promise<void>
  freeze(): void
  thaw(): void
  /**
   * Stops the process gracefully and starts it with additional environment variables, or with the original environment. Resolves when the
   * process is ready.
   */
  restart(besides?: Record<string, string>): Promise<void>
  /** Sets the wall clock of the running process wrong. The process must have been started with `CLOCK_SKEW_SECONDS`. */
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
  /** Fills the server's disk and returns a function that frees it. The method is absent where the disk cannot be filled. */
  fillDisk?(): Promise<() => Promise<void>>
}

export type FaultPair = {
  killPrimary(): Promise<void>
  promote(): Promise<void>
  vanish(): Promise<void>
  rebuild(): Promise<void>
}

export type FaultDatabase = {
  url: string
  /** Whether a connection pooler without support for prepared statements shares the connections. */
  isPooled?: boolean
  /** Runs a statement on the current primary, on a separate connection to the product's database. */
  run(statement: string, parameters?: unknown[]): Promise<Record<string, unknown>[]>
  /** Returns a connection string of the current primary that bypasses the proxies. The auditor uses it. */
  direct(): string
  lines: DatabaseProxy[]
  cluster: FaultCluster | null
  pair: FaultPair | null
  close(): Promise<void>
}

export type FaultWorld = {
  url: string
  processes: FaultProcess[]
  /** The database server; null when the database is embedded in `processes[0].dataDir`. */
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
  /** Decides how each call is disturbed. If the function is null or returns null, the call passes unchanged. */
  disturb: ((call: { method: string; path: string }) => Disturbance | null) | null
}

export type Disturbance =
  /** Answers 500 or 503 without carrying out the call. */
  | { kind: 'error'; status: number }
  /** Closes the connection without carrying out the call. */
  | { kind: 'hang up' }
  /** Carries out the call, but closes the connection instead of answering. */
  | { kind: 'lose answer' }
  /** Carries out the call and delays the response by this many milliseconds. */
  | { kind: 'slow'; ms: number }
  | CorruptResponse

/** A useless response to a call that the provider has carried out. `nth` selects one of several responses. */
export type CorruptResponse =
  | { kind: 'garbled'; nth: number }
  /** A response body that never ends. With `isSlow`, the body arrives a byte at a time. */
  | { kind: 'endless'; isSlow: boolean }
  /** The correct response after 32 MB of padding. */
  | { kind: 'huge' }
  | { kind: 'wrong'; nth: number }
