import type { Call } from '../load/play-load.ts'
import type { Group } from './process-group.ts'

export const peerNames = ['Vendure', 'Medusa'] as const
export type PeerName = (typeof peerNames)[number]

/** The peer's address, and the key that callers of its shop send; '' if it needs none. */
export type Site = { origin: string; key: string }

export type Place = {
  folder: string
  databaseUrl: string
  port: number
  /** Starts a Node program there, as in production. It ends with the benchmark at the latest. */
  begin(args: readonly string[], env?: Record<string, string>): Group
}

export type RunningSite = { pid: number | null; site: Site }

export type Peer = {
  name: PeerName
  /** The installed packages, each in exactly this version. */
  packages: Readonly<Record<string, string>>
  /** Creates its tables and starts it, without a log of calls. @throws a line with the reason when it cannot */
  start(place: Place): Promise<RunningSite>
  signUp(site: Site, email: string): Promise<void>
  /** Signs in a customer with an account, and returns the call that reads the account. @throws when the answer does not say whose it is */
  read(site: Site, email: string): Promise<Call>
}

/** Connections to the database for each peer, as many as the product has. */
export const maxConnections = 12

/** Milliseconds until it answers for the first time, or its tables exist. A busy machine takes a sixth of it. */
export const maxStartMs = 180_000
