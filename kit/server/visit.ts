import type { Session, SignedIn } from './session.ts'

export type BrowserIdentity = {
  readonly session: Session
  readonly device: string | null
}

export type Visit = BrowserIdentity & {
  readonly user: SignedIn | null
  readonly userAgent?: string | undefined
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

export type Admitted<A extends Access> = A extends 'anyone' ? Visit : SignedInVisit

export type Actor = { userId: string; sessionId: string | null }

export const actorOf = ({ user, session }: SignedInVisit): Actor => ({ userId: user.id, sessionId: session.id })
