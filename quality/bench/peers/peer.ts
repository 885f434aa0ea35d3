import type { Call } from '../load/run-load.ts'
import type { Group } from './process-group.ts'

export const peerNames = ['Vendure', 'Medusa'] as const
export type PeerName = (typeof peerNames)[number]

/** The address of a platform that Fantail is compared with, and the API key that clients send to its shop; '' if no key is needed. */
export type Site = { origin: string; key: string }

export type Place = {
  folder: string
  databaseUrl: string
  port: number
  /** Starts a Node program in the compared platform's folder, as in production. The program never outlives the benchmark. */
  begin(args: readonly string[], env?: Record<string, string>): Group
}

export type RunningSite = { pid: number | null; site: Site }

export type Peer = {
  name: PeerName
  /** The packages to install, each pinned to an exact version. */
  packages: Readonly<Record<string, string>>
  /**
   * Creates the compared platform's tables and starts the platform without an access log.
   * @throws an error with a one-line reason if either step fails
   */
  start(place: Place): Promise<RunningSite>
  signUp(site: Site, email: string): Promise<void>
  /**
   * Signs in a customer and returns the request that reads that customer's account.
   * @throws if the response is about a different account
   */
  read(site: Site, email: string): Promise<Call>
}

/** The number of database connections for each platform that Fantail is compared with, which is the same as for Fantail. */
export const maxConnections = 12

/**
 * The timeout, in milliseconds, for creating a compared platform's tables and for its first response. Even a busy machine needs only a
 * sixth of this.
 */
export const maxStartMs = 180_000
