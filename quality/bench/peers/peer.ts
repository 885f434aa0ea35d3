import type { Call } from '../load/run-load.ts'
import type { Group } from './process-group.ts'

export const peerNames = ['Vendure', 'Medusa'] as const
export type PeerName = (typeof peerNames)[number]

/** The peer's address, and the API key that clients of its shop send; '' if the peer needs no key. */
export type Site = { origin: string; key: string }

export type Place = {
  folder: string
  databaseUrl: string
  port: number
  /** Starts a Node program in the peer's folder, as in production. The program ends with the benchmark at the latest. */
  begin(args: readonly string[], env?: Record<string, string>): Group
}

export type RunningSite = { pid: number | null; site: Site }

export type Peer = {
  name: PeerName
  /** The packages to install, each in exactly this version. */
  packages: Readonly<Record<string, string>>
  /** Creates the peer's tables and starts the peer without an access log. @throws an error with a one-line reason when either fails */
  start(place: Place): Promise<RunningSite>
  signUp(site: Site, email: string): Promise<void>
  /** Signs in a customer and returns the call that reads the customer's account. @throws when the response is about another account */
  read(site: Site, email: string): Promise<Call>
}

/** Number of database connections of each peer, the same as the product has. */
export const maxConnections = 12

/** Timeout in milliseconds for a peer's first response, and for the creation of its tables. A busy machine needs a sixth of that time. */
export const maxStartMs = 180_000
