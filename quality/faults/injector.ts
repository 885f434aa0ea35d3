import type { GatewaySimulator } from '#simulators/gateway/server.ts'
import type { MailSimulator } from '#simulators/mail/simulator.ts'
import type { NetworkSimulator } from '#simulators/network/simulator.ts'
import type { SmsSimulator } from '#simulators/sms/simulator.ts'
import type { Random } from './random.ts'

export type Need = 'embedded' | 'postgres' | 'cluster' | 'pair' | 'processes'

export type Injector = {
  name: string
  needs: readonly Need[]
  /** Seconds from the end of one of its faults within which every open order must be settled. */
  settlesWithin: number
  /** The longest duration of one of its faults in seconds. The conductor stops it after that, or sooner in a short run. */
  lasts: number
  start(world: FaultWorld, random: Random): Promise<ActiveFault> | ActiveFault
  /**
   * Reasons of tasks that this fault makes necessary, even when the books agree in the end: the product cannot know that they do, or a
   * provider has contradicted itself.
   */
  warrants?: readonly RegExp[]
}

/** Milliseconds from a fault's end until another order is acknowledged, and until another is settled; null where neither was seen. */
export type Recovery = { acknowledgedMs: number | null; settledMs: number | null }

export type ActiveFault = {
  /** Ends the fault. Afterwards everything is as before: processes run, lines work, and servers are up. */
  stop(): Promise<void>
}

export type FaultProcess = {
  name: string
  url: string
  dataDir: string
  env: Readonly<Record<string, string>>
  pid(): number | null
  /** Sends SIGKILL, and resolves when the process is dead. It is started again after the pause of the unit file. */
  kill(): Promise<void>
  freeze(): void
  thaw(): void
  /** Ends it gracefully and starts it with these additional variables, or with the original environment. Resolves when it is ready. */
  restart(besides?: Record<string, string>): Promise<void>
  /** Sets its wall clock wrong while it runs. It must have been started with `CLOCK_SKEW_SECONDS`. */
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
  /** Fills the server's disk and returns a function that frees it. Absent where this is impossible. */
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
  /** A pooler that cannot keep prepared statements shares the connections. */
  isPooled?: boolean
  /** Runs a statement on the current primary, on a connection of its own to the product's database. */
  run(statement: string, parameters?: unknown[]): Promise<Record<string, unknown>[]>
  /** A connection string of the current primary for the auditor, which bypasses the lines. */
  direct(): string
  lines: DatabaseProxy[]
  cluster: FaultCluster | null
  pair: FaultPair | null
  close(): Promise<void>
}

export type FaultWorld = {
  url: string
  processes: FaultProcess[]
  /** Null when the database is embedded, in `processes[0].dataDir`. */
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
  /** Called for each call; null lets the call pass. */
  disturb: ((call: { method: string; path: string }) => Disturbance | null) | null
}

export type Disturbance =
  /** The call is not carried out, and answers 500 or 503. */
  | { kind: 'error'; status: number }
  /** The call is not carried out, and the connection ends. */
  | { kind: 'hang up' }
  /** The call is carried out, but the connection ends in place of the answer. */
  | { kind: 'lose answer' }
  /** The call is carried out, and its answer is late by this many milliseconds. */
  | { kind: 'slow'; ms: number }
  | CorruptResponse

/** The provider carries out the call, and its answer is useless. `nth` chooses one of several such answers. */
export type CorruptResponse =
  | { kind: 'garbled'; nth: number }
  /** A body that never ends. `isSlow`: it arrives a byte at a time. */
  | { kind: 'endless'; isSlow: boolean }
  /** The true answer after 32 MB of padding. */
  | { kind: 'huge' }
  | { kind: 'wrong'; nth: number }
