import type { MovableClock } from '#kit/server/clock.ts'
import { HttpError, unauthorised } from '#kit/server/http-error.ts'
import { buildCookieValue, readSession } from '#kit/server/session.ts'
import { findVisitor } from '#features/auth/server/visitor.store.ts'
import type { BrowserIdentity, SignedInContext, RequestContext } from '#kit/server/request-context.ts'
import type { ChangeEmailDeps } from '#features/change-email/server/change-email.deps.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import { type Address, addresses, passwordsByPerson, type Person, readersByAddress } from './claims-commands.ts'

export type ModelDeps = AuthDeps & ChangeEmailDeps & { clock: MovableClock }
type Browser = { cookie: string | undefined; device: string | null }
export type Mail = { kind: 'verify' | 'reset'; token: string; uid: string; read: Person }
type Known = { maker: Person; password: string }

export type ClaimModelState = {
  deps: ModelDeps
  browsers: Record<Person, Browser[]>
  mailbox: Mail[]
  accounts: Map<string, Known>
  makerOf: Map<string, Person>
}

export const createClaimModelState = (deps: ModelDeps): ClaimModelState => ({
  deps,
  browsers: { vera: [fresh(), fresh()], mallory: [fresh(), fresh()] },
  mailbox: [],
  accounts: new Map(),
  makerOf: new Map(),
})

export const fresh = (): Browser => ({ cookie: undefined, device: null })

export type At = { person: Person; browser: number }

export async function visit<T>(
  { deps: { db, secrets }, browsers }: ClaimModelState,
  { person, browser }: At,
  act: (visit: RequestContext) => Promise<T>,
): Promise<T | HttpError> {
  const used = browsers[person][browser] as Browser
  const { session, user } = await readSession(db, secrets, used.cookie, findVisitor)
  const requestContext: RequestContext = {
    session,
    user,
    device: used.device,
    clientIp: '127.0.0.1',
    inProcess: false,
  }
  let going: BrowserIdentity = requestContext
  try {
    const done = await act(requestContext)
    if (hasCookies(done)) going = done.cookies
    return done
  } catch (error) {
    if (error instanceof HttpError) return error
    throw error
  } finally {
    Object.assign(used, { cookie: buildCookieValue(secrets, going.session), device: going.device })
  }
}

const hasCookies = (done: unknown): done is { cookies: BrowserIdentity } =>
  typeof done === 'object' && done !== null && 'cookies' in done

export const runAsSignedInUser = <T>(people: ClaimModelState, at: At, act: (visit: SignedInContext) => Promise<T>) =>
  visit(people, at, async ({ user, ...here }) => {
    if (!user) throw unauthorised()
    return act({ ...here, user })
  })

export const getPersonPassword = (person: Person, index: number | null): string =>
  index === null ? '' : (passwordsByPerson[person][index] ?? '')

export const findLink = (
  { mailbox }: ClaimModelState,
  person: Person,
  kind: Mail['kind'],
  index: number,
): Mail | undefined => {
  const readableEmails = mailbox.filter((mail) => mail.kind === kind && mail.read === person)
  return readableEmails[index % Math.max(1, readableEmails.length)]
}

export const getEmailReader = (email: string): Person =>
  readersByAddress[(Object.keys(addresses) as Address[]).find((name) => addresses[name] === email) ?? 'shared']

export async function collectSentEmails({ deps: { db, secrets }, mailbox }: ClaimModelState): Promise<void> {
  const rows = await db
    .deleteFrom('messages')
    .where('channel', '=', 'email')
    .returning(['recipient', 'sealed_body'])
    .execute()
  for (const { recipient, sealed_body } of rows) {
    const { text } = JSON.parse(secrets.open(sealed_body ?? '')) as { text: string }
    const read = getEmailReader(recipient)
    const verifyLink = /\/verify\/\?token=([\w-]+)/.exec(text)
    if (verifyLink?.[1]) mailbox.push({ kind: 'verify', token: verifyLink[1], uid: '', read })
    for (const [, uid = '', token = ''] of text.matchAll(/\/password-reset\/([\w-]+)\/([\w-]+)/g))
      mailbox.push({ kind: 'reset', token, uid, read })
  }
}

export async function readLatestPin(
  { deps: { db, secrets }, makerOf }: ClaimModelState,
  person: Person,
): Promise<string> {
  const rows = await db
    .selectFrom('messages')
    .select(['channel', 'recipient', 'sealed_body'])
    .orderBy('created_at', 'desc')
    .execute()
  const numbers = await db.selectFrom('services').select(['id', 'msisdn']).execute()
  for (const { channel, recipient, sealed_body } of rows) {
    const pin = /(?:is|PIN:?)\s+(\d{6})\b/.exec(
      (JSON.parse(secrets.open(sealed_body ?? '')) as { text: string }).text,
    )?.[1]
    const owner =
      channel === 'sms'
        ? makerOf.get(numbers.find(({ msisdn }) => msisdn === recipient)?.id ?? '')
        : getEmailReader(recipient)
    if (pin && owner === person) return pin
  }
  return ''
}
