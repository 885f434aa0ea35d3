import type { Session, SignedIn } from './session.ts'

/** Identity of a browser, which changes when its user signs in or out. */
export type BrowserIdentity = {
  readonly session: Session
  /** The cookie of a browser that has signed in here before. Only `known-device.ts` reads it. */
  readonly device: string | null
}

/** The visitor, resolved once for a request or for rendering a page. It is immutable. */
export type Visit = BrowserIdentity & {
  readonly user: SignedIn | null
  /** The `User-Agent` header, which only `user-agent.ts` reads. */
  readonly userAgent?: string | undefined
  /** The IP address of the socket, or the one that a configured proxy forwards, normalised for limits. */
  readonly clientIp: string
  /** True while a page is rendered. Such calls set no cookies, and count only in limits of routes that say so. */
  readonly inProcess: boolean
}

export type SignedInVisit = Visit & { readonly user: SignedIn }

export type Access =
  | 'anyone'
  /** Signed in, with or without a confirmed e-mail. */
  | 'signed-in'
  /** Signed in with a confirmed e-mail. */
  | 'verified'

/** The visit behind a route's guard. The type states the guard's result, so that no handler checks again. */
export type Admitted<A extends Access> = A extends 'anyone' ? Visit : SignedInVisit

export type Actor = { userId: string; sessionId: string | null }

export const actorOf = ({ user, session }: SignedInVisit): Actor => ({ userId: user.id, sessionId: session.id })
