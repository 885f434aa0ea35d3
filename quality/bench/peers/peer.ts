import type { Call } from '../load/play.ts'
import type { Group } from './group.ts'

export const peerNames = ['Vendure', 'Medusa'] as const
export type PeerName = (typeof peerNames)[number]

/** Where it answers, and the key that callers of its shop name; '' where it asks for none. */
export type Site = { origin: string; key: string }

/** Where it runs: a folder that its packages are in, an empty database, and the port of the loopback address that it is to have. */
export type Place = {
  folder: string
  databaseUrl: string
  port: number
  /** Starts a program of Node's there, as in production. It ends with the bench at the latest. */
  begin(args: readonly string[], env?: Record<string, string>): Group
}

export type Standing = { pid: number | null; site: Site }

/** A shop of somebody else's that does the same as the product here: it knows customers and signs them up. */
export type Peer = {
  name: PeerName
  /** What is installed, each in exactly this version. */
  packages: Readonly<Record<string, string>>
  /** Makes its tables and starts it, without a log of calls. @throws a line that says why it cannot */
  start(place: Place): Promise<Standing>
  /** As its own shop fronts do it: with name, address and password. */
  signUp(site: Site, email: string): Promise<void>
  /** Signs in one who has an account: the call by which they look at it from then on. @throws when it does not answer whose it is */
  read(site: Site, email: string): Promise<Call>
}

/** Connections to the database, for each: as many as the product has. */
export const connections = 12

/** Until it answers for the first time, or its tables are made; a busy machine takes a sixth of it. */
export const longestStartMs = 180_000
