import type { GatewaySimulator } from '#simulators/gateway/server.ts'
import type { MailSimulator } from '#simulators/mail/simulator.ts'
import type { NetworkSimulator } from '#simulators/network/simulator.ts'
import type { SmsSimulator } from '#simulators/sms/simulator.ts'
import type { Random } from './random.ts'

/** What a fault needs: the embedded database, PostgreSQL, a server of its own, two of them, or two product processes. */
export type Need = 'embedded' | 'postgres' | 'cluster' | 'pair' | 'processes'

/** One way for things to go wrong, by name. */
export type Injector = {
  name: string
  /** All that it needs; empty: any world will do. */
  needs: readonly Need[]
  /** Seconds from the end of one of its faults within which every order that was open is settled. */
  settlesWithin: number
  /** Seconds that a fault of it lasts at the longest: the conductor stops it after that at the latest, or sooner where the run is short. */
  lasts: number
  /** Begins to inject. It works on by itself until it is stopped; what it does it tells `world.log`. */
  start(world: FaultWorld, random: Random): Promise<Running> | Running
  /**
   * Reasons of tasks that a person needs because of this fault, also when the books agree in the end: the product cannot know that
   * they do, or a provider has contradicted itself.
   */
  warrants?: readonly RegExp[]
}

/** Milliseconds from a fault's end until one more order is acknowledged, and one more is settled; null where it was not seen. */
export type Recovery = { acknowledgedMs: number | null; settledMs: number | null }

export type Running = {
  /** Ends the fault. On return everything that was broken is as it was before: processes run, lines are mended, servers are up. */
  stop(): Promise<void>
}

/** A product process, started again when it dies, as systemd would. */
export type FaultProcess = {
  name: string
  url: string
  /** Its `DATA_DIR`. */
  dataDir: string
  /** What it was started with. */
  env: Readonly<Record<string, string>>
  /** Null while it is down. */
  pid(): number | null
  /** SIGKILL; resolves when it is dead. It is started again after the pause that the unit file says. */
  kill(): Promise<void>
  /** SIGSTOP and SIGCONT. */
  freeze(): void
  thaw(): void
  /** Ends it in its own way and starts it with this environment besides; with none, as in the beginning. Resolves when it is ready. */
  restart(besides?: Record<string, string>): Promise<void>
  /** Sets its wall clock wrong by so much while it runs; only one that was begun with `CLOCK_SKEW_SECONDS`. */
  skewClock(seconds: number): Promise<void>
  /** Resolves when it answers `/readyz` with 200. */
  ready(withinMs?: number): Promise<void>
}

/** A line between product and database, for a server of its own each. */
export type FaultLine = {
  /** Connections end at once, and new ones are refused. */
  cut(): Promise<void>
  /** Nothing passes any more, and nobody is told: packets are dropped, in connections that stand and in new ones. */
  silence(): void
  mend(): Promise<void>
}

/** A server that is the world's alone. */
export type FaultCluster = {
  stop(how: 'fast' | 'immediate'): Promise<void>
  start(): Promise<void>
  /** Fills the disk that it writes to; answers what frees it. Absent where it can't be done here. */
  fillDisk?(): Promise<() => Promise<void>>
}

/** A primary and a standby, replicated synchronously; the product knows both hosts. */
export type FaultPair = {
  killPrimary(): Promise<void>
  promote(): Promise<void>
  /** The host of the primary vanishes without a word. */
  vanish(): Promise<void>
  /** The one that is gone comes back as the new standby. */
  rebuild(): Promise<void>
}

export type FaultDatabase = {
  /** What the processes are told, through `lines`. */
  url: string
  /** Its connections are handed round by what can keep no statements. */
  isPooled?: boolean
  /** A statement straight to the server that is the primary now, on a connection of its own, in the product's database. */
  run(statement: string, parameters?: unknown[]): Promise<Record<string, unknown>[]>
  /** A connection string of the primary of now for the auditor, around the lines. */
  direct(): string
  lines: FaultLine[]
  cluster: FaultCluster | null
  pair: FaultPair | null
  close(): Promise<void>
}

/** What injectors get. */
export type FaultWorld = {
  /** Where customers come in. */
  url: string
  processes: FaultProcess[]
  /** Null when it is embedded: `processes[0].dataDir` has it then. */
  database: FaultDatabase | null
  gateway: GatewaySimulator
  network: NetworkSimulator
  mail: MailSimulator
  texts: SmsSimulator
  /** What goes wrong with calls on their way from product to provider. */
  provider: Record<'gateway' | 'network' | 'mail' | 'texts', ProviderDoor>
  /** What the processes have as LEASE_SECONDS. */
  leaseSeconds: number
  /** Ends when the run does: for pauses. */
  signal: AbortSignal
  /** A line of the run's log. */
  log(event: string): void
  /** Fails the run, in one sentence: the product did what it must not do under this fault. */
  complain(text: string): void
  /** The names of all faults that are active. */
  activeFaults(): string
  /** Lets the product's time pass for everybody. */
  passTime(duration: { hours: number }): Promise<void>
  /** How long it took after a fault until work went on: for the report. */
  tellRecovery(fault: string, recovery: Recovery): void
}

/** Stands before a provider's simulator; every call passes it. */
export type ProviderDoor = {
  /** Asked of each call; null lets it pass. */
  disturb: ((call: { method: string; path: string }) => Disturbance | null) | null
}

export type Disturbance =
  /** Not done, an answer of 500 or 503. */
  | { kind: 'error'; status: number }
  /** Not done, and the connection ends. */
  | { kind: 'hang up' }
  /** Done, and the answer never comes: the connection ends when it would. */
  | { kind: 'lose answer' }
  /** Done, and answered so many milliseconds late. */
  | { kind: 'slow'; ms: number }
  | SpoiledAnswer

/** The provider does what it is asked to do, and its answer is useless. `nth` chooses one of several such answers. */
export type SpoiledAnswer =
  /** No JSON, or not all of it. */
  | { kind: 'garbled'; nth: number }
  /** A body that never ends; `isSlow`: it comes a byte at a time. */
  | { kind: 'endless'; isSlow: boolean }
  /** The true answer after 32 MB of padding. */
  | { kind: 'huge' }
  /** Valid JSON that says something else. */
  | { kind: 'wrong'; nth: number }
