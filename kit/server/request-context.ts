import type { Session, SignedInUser } from './session.ts'

export type BrowserIdentity = {
  readonly session: Session
  readonly device: string | null
}

export type RequestContext = BrowserIdentity & {
  readonly user: SignedInUser | null
  readonly userAgent?: string | undefined
  readonly clientIp: string
  /**
   * True while the server renders a page. Requests made while rendering set no cookies and count only against the limits of routes that set
   * `countsPages`.
   */
  readonly inProcess: boolean
}

export type SignedInContext = RequestContext & { readonly user: SignedInUser }

export type RouteAccess =
  | 'anyone'
  /** The caller must be signed in, with or without a confirmed email address. */
  | 'signed-in'
  /** The caller must be signed in with a confirmed email address. */
  | 'verified'

export type AuthorisedContext<A extends RouteAccess> = A extends 'anyone' ? RequestContext : SignedInContext

export type CustomerActor = { userId: string; sessionId: string | null }

export const toCustomerActor = ({ user, session }: SignedInContext): CustomerActor => ({
  userId: user.id,
  sessionId: session.id,
})
