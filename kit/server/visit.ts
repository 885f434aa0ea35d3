import type { Session, SignedIn } from './session.ts'

/** What a browser is known by. Signing in or out gives it another. */
export type BrowserIdentity = {
  readonly session: Session
  /** What this browser shows for having signed in here before; only `known-device.ts` reads it. */
  readonly device: string | null
}

/** Who is asking, resolved once for a request or for a page's rendering. Nothing changes it. */
export type Visit = BrowserIdentity & {
  readonly user: SignedIn | null
  /** What the browser calls itself; only `user-agent.ts` reads it. */
  readonly userAgent?: string | undefined
  /** The IP address of the socket, or what a configured proxy says, as limits count it. */
  readonly clientIp: string
  /** True while a page is rendered: such calls set no cookie, and count only in limits of routes that say so. */
  readonly inProcess: boolean
}

/** The visit of a user who is signed in. */
export type SignedInVisit = Visit & { readonly user: SignedIn }

/** What a call asks of its visitor. */
export type Access =
  | 'anyone'
  /** Signed in, e-mail confirmed or not. */
  | 'signed-in'
  /** Signed in with a confirmed e-mail. */
  | 'verified'

/** The visit behind a route's guard: its type says what the guard has asked for, so that no handler asks again. */
export type Admitted<A extends Access> = A extends 'anyone' ? Visit : SignedInVisit

/** Who acts, and in which session, as the audit trail has it. */
export type Actor = { userId: string; sessionId: string | null }

export const actorOf = ({ user, session }: SignedInVisit): Actor => ({ userId: user.id, sessionId: session.id })
