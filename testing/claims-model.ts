import { randomInt, randomUUID } from 'node:crypto'
import * as fc from 'fast-check'
import { type MovableClock, toDate } from '#kit/server/clock.ts'
import { transact } from '#kit/server/db.ts'
import type { Passwords } from '#kit/server/password.ts'
import { Refusal, unauthorised } from '#kit/server/refusal.ts'
import { hashToken } from '#kit/server/secrets.ts'
import { cookieOf, saveSession, readSession } from '#kit/server/session.ts'
import type { Cookies, SignedInVisit, Visit } from '#kit/server/visit.ts'
import { startChange } from '#features/change-email/server/change-email.ts'
import type { ChangeEmailDeps } from '#features/change-email/server/change-email.deps.ts'
import { enterPin } from '#features/change-email/server/enter-pin.ts'
import { confirmChange, mailNewAddress } from '#features/change-email/server/new-address.ts'
import { findLatestChange } from '#features/change-email/server/change-email.store.ts'
import { claimAccount, issueVerification, takeSignup } from '#features/auth/server/auth.ts'
import type { AuthDeps } from '#features/auth/server/auth.deps.ts'
import { confirmEmail, disown } from '#features/auth/server/confirm-email.ts'
import { logIn, logOut } from '#features/auth/server/login.ts'
import { mailResetLinks, resetWithLink } from '#features/auth/server/password-reset.ts'
import { findUser, setFirstContactService } from '#features/auth/server/users.store.ts'
import { resendVerificationMail } from '#features/auth/server/verification.mail.ts'
import { isMailStopped } from '#features/messages/server/mail-stops.store.ts'
import { insertService } from '#features/services/server/services.store.ts'

export type Person = 'vera' | 'mallory'
/** Whose mail is read by whom: the address that both claim is Vera's. */
export const addresses = {
  shared: 'shared@example.nz',
  veras: 'vera@example.nz',
  mallorys: 'mallory@example.nz',
} as const
type Address = keyof typeof addresses
const readerOf: Record<Address, Person> = { shared: 'vera', veras: 'vera', mallorys: 'mallory' }
const passwordsOf = {
  vera: ['kereru of vera 1', 'kereru of vera 2'],
  mallory: ['takahe of mallory 1', 'takahe of mallory 2'],
} as const

/** What two people do; each has two browsers and two passwords. What is named by a number is one of those that there are. */
export type Command =
  | { do: 'activate'; who: Person; browser: number; password: number }
  | { do: 'login'; who: Person; browser: number; address: Address; password: number }
  | { do: 'logout'; who: Person; browser: number }
  | { do: 'press'; who: Person; browser: number; link: number; password: number | null; accountPassword: number | null }
  | { do: 'notMe'; who: Person; browser: number; link: number }
  | { do: 'resend'; who: Person; browser: number }
  | { do: 'askReset'; address: Address }
  | { do: 'reset'; who: Person; browser: number; link: number; password: number }
  | { do: 'changeEmail'; who: Person; browser: number; to: Address }
  | { do: 'time'; hours: number }

const who = fc.constantFrom<Person>('vera', 'mallory')
const browser = fc.integer({ min: 0, max: 1 })
const password = fc.integer({ min: 0, max: 1 })
const typed = fc.option(password, { freq: 2 })
const address = fc.constantFrom<Address>('shared', 'shared', 'veras', 'mallorys')
const link = fc.nat({ max: 9 })
const says = <T extends Command['do']>(act: T) => ({ do: fc.constant(act) })

const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ ...says('activate'), who, browser, password }) },
  {
    weight: 5,
    arbitrary: fc.record({ ...says('press'), who, browser, link, password: typed, accountPassword: typed }),
  },
  { weight: 3, arbitrary: fc.record({ ...says('login'), who, browser, address, password }) },
  { weight: 1, arbitrary: fc.record({ ...says('logout'), who, browser }) },
  { weight: 1, arbitrary: fc.record({ ...says('notMe'), who, browser, link }) },
  { weight: 1, arbitrary: fc.record({ ...says('resend'), who, browser }) },
  { weight: 1, arbitrary: fc.record({ ...says('askReset'), address }) },
  { weight: 2, arbitrary: fc.record({ ...says('reset'), who, browser, link, password }) },
  { weight: 2, arbitrary: fc.record({ ...says('changeEmail'), who, browser, to: address }) },
  { weight: 1, arbitrary: fc.record({ ...says('time'), hours: fc.constantFrom(1, 25) }) },
)

/** Orders of events, beginning with a person who activates. */
export const ordersOfEvents = (): fc.Arbitrary<Command[]> =>
  fc
    .tuple(
      fc.record({ ...says('activate'), who, browser, password }),
      fc.array(command, { minLength: 3, maxLength: 11 }),
    )
    .map(([first, rest]) => [first, ...rest])

/** Hashes each password once for each salt: the model is about whom they open, not about what they cost. */
export function remembering(passwords: Passwords): Passwords {
  const known = new Map<string, Promise<unknown>>()
  const once = <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const before = known.get(key) as Promise<T> | undefined
    const made = before ?? make()
    known.set(key, made)
    return made
  }
  return {
    hash: (text, email) => once(`hash|${text}|${email}`, () => passwords.hash(text, email)),
    verify: (text, hash) => once(`verify|${text}|${hash}`, () => passwords.verify(text, hash)),
  }
}

export type ModelDeps = AuthDeps & ChangeEmailDeps & { clock: MovableClock }
type Browser = { cookie: string | undefined; device: string | null }
type Mail = { kind: 'verify' | 'reset'; token: string; uid: string; read: Person }
/** What a person knows of an account that they made. */
type Known = { maker: Person; password: string }

/** Two people before an empty database. `obey` does what a command says, and throws when one of them gets what is not theirs. */
export function twoPeople(deps: ModelDeps) {
  const { db, clock, secrets } = deps
  const browsers: Record<Person, Browser[]> = { vera: [fresh(), fresh()], mallory: [fresh(), fresh()] }
  const mailbox: Mail[] = []
  const accounts = new Map<string, Known>()
  const makerOf = new Map<string, Person>()

  async function visit<T>(person: Person, index: number, act: (visit: Visit) => Promise<T>): Promise<T | Refusal> {
    const used = browsers[person][index] as Browser
    const session = await readSession(db, secrets, used.cookie)
    const user = session.userId ? await findUser(db, session.userId) : undefined
    const coming: Visit = {
      session,
      user: user ? { id: user.id, emailVerified: user.email_verified_at !== null } : null,
      device: used.device,
      address: '127.0.0.1',
      inProcess: false,
    }
    let going: Cookies = coming
    try {
      const done = await act(coming)
      if (hasCookies(done)) going = done.cookies
      return done
    } catch (error) {
      if (error instanceof Refusal) return error
      throw error
    } finally {
      Object.assign(used, { cookie: cookieOf(secrets, going.session), device: going.device })
    }
  }

  /** The same for what a customer does who is signed in, with the guard that a route has. */
  const ownVisit = <T>(person: Person, index: number, act: (visit: SignedInVisit) => Promise<T>) =>
    visit(person, index, async ({ user, ...here }) => {
      if (!user) throw unauthorised()
      return act({ ...here, user })
    })

  const passwordFor = (person: Person, index: number | null): string =>
    index === null ? '' : (passwordsOf[person][index] ?? '')
  const linksOf = (person: Person, kind: Mail['kind'], index: number): Mail | undefined => {
    const readable = mailbox.filter((mail) => mail.kind === kind && mail.read === person)
    return readable[index % Math.max(1, readable.length)]
  }
  const readerOfMail = (email: string): Person =>
    readerOf[(Object.keys(addresses) as Address[]).find((name) => addresses[name] === email) ?? 'shared']

  /** A SIM is activated and paid for: what the order machinery does of it is not what this is about. */
  async function activate(person: Person, index: number, chosen: string): Promise<void> {
    await visit(person, index, async (here) => {
      const sessionId = await saveSession(db, here.session)
      const signup = here.user ? null : await takeSignup(deps, here, { email: addresses.shared, password: chosen })
      const email = here.user ? ((await findUser(db, here.user.id))?.email ?? '') : addresses.shared
      await transact(db, async (trx) => {
        const order = {
          id: randomUUID(),
          session_id: sessionId,
          user_id: here.user?.id ?? null,
          email,
          full_name: `${person} Rewi`,
          password_hash: signup?.password_hash ?? null,
          joins_user_id: signup?.joins_user_id ?? null,
          marketing_consent: false,
        }
        const iccid = `8964032${String(randomInt(1e12)).padStart(12, '0')}`
        const msisdn = `+6421${randomInt(6_000_000, 9_999_999)}`
        await trx
          .insertInto('sim_packs')
          .values({ iccid, msisdn, last_four: iccid.slice(-4), order_id: null, activated_at: null })
          .execute()
        const { userId, isNew } = await claimAccount(trx, clock, order)
        const placed = {
          ...order,
          user_id: userId,
          iccid,
          msisdn,
          order_code: order.id,
          kind: 'activation' as const,
          state: 'completed' as const,
          version: 0,
          product_id: 'plan-30-5gb',
          product: '{}',
          paid_with: 'card' as const,
          amount_cents: 0,
          currency: 'NZD',
          tries: 0,
          created_at: toDate(clock.now()),
        }
        await trx.insertInto('orders').values(placed).execute()
        const serviceId = randomUUID()
        await insertService(trx, { id: serviceId, userId, orderId: order.id, iccid, msisdn }, clock.now())
        await setFirstContactService(trx, { id: userId, madeByOrder: order.id }, serviceId)
        makerOf.set(serviceId, person)
        if (isNew) accounts.set(userId, { maker: person, password: chosen })
        const token =
          isNew && !(await isMailStopped(trx, userId)) ? await issueVerification(trx, userId, clock.now()) : null
        if (token) mailbox.push({ kind: 'verify', token, uid: '', read: readerOfMail(email) })
      })
    })
  }

  /** What has been sent to an address since, as its reader sees it. */
  async function collectMail(): Promise<void> {
    const rows = await db
      .deleteFrom('messages')
      .where('channel', '=', 'email')
      .returning(['recipient', 'sealed_body'])
      .execute()
    for (const { recipient, sealed_body } of rows) {
      const { text } = JSON.parse(secrets.open(sealed_body ?? '')) as { text: string }
      const read = readerOfMail(recipient)
      const verify = /\/verify\/\?token=([\w-]+)/.exec(text)
      if (verify?.[1]) mailbox.push({ kind: 'verify', token: verify[1], uid: '', read })
      const reset = /\/password-reset\/([\w-]+)\/([\w-]+)/.exec(text)
      if (reset?.[1] && reset[2]) mailbox.push({ kind: 'reset', token: reset[2], uid: reset[1], read })
    }
  }

  /** The newest PIN that a person reads: on a number of theirs, or in their mail. */
  async function pinFor(person: Person): Promise<string> {
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
          : readerOfMail(recipient)
      if (pin && owner === person) return pin
    }
    return ''
  }

  async function changeEmail(person: Person, index: number, to: Address): Promise<void> {
    await db.deleteFrom('messages').execute()
    const asked = await ownVisit(person, index, (here) =>
      startChange(deps, here, { new_email: addresses[to], password: '' }),
    )
    if (asked instanceof Refusal) return
    const pin = await pinFor(person)
    if (!pin) return
    await ownVisit(person, index, async (here) => {
      await enterPin(deps, here, pin, null)
      const change = await findLatestChange(db, here.user.id)
      if (change) await mailNewAddress(deps, change.id)
      const sent = await db
        .selectFrom('messages')
        .select('sealed_body')
        .where('recipient', '=', addresses[to])
        .orderBy('created_at', 'desc')
        .executeTakeFirst()
      const token = /change-email\/\?token=([\w-]+)/.exec(sent ? secrets.open(sent.sealed_body ?? '') : '')?.[1]
      if (token && readerOf[to] === person) await confirmChange(deps, here, token)
    })
  }

  async function reset(person: Person, index: number, mail: Mail | undefined, chosen: string): Promise<void> {
    if (!mail) return
    await db.deleteFrom('messages').execute()
    const enter = (pin: string) =>
      visit(person, index, (here) =>
        resetWithLink(deps, here, { uid: mail.uid, token: mail.token }, { password: chosen, pin }),
      )
    const first = await enter('')
    const opened =
      first instanceof Refusal && 'pin' in (first.body as object)
        ? await enter((await pinFor(person)) || '000000')
        : first
    const known = opened instanceof Refusal ? undefined : accounts.get(opened.userId)
    if (known) known.password = chosen
  }

  const obeyed: { [K in Command['do']]: (command: Extract<Command, { do: K }>) => Promise<unknown> } = {
    activate: (told) => activate(told.who, told.browser, passwordFor(told.who, told.password)),
    login: (told) =>
      visit(told.who, told.browser, (here) =>
        logIn(deps, here, { username: addresses[told.address], password: passwordFor(told.who, told.password) }),
      ),
    logout: (told) => visit(told.who, told.browser, async (here) => ({ cookies: await logOut(deps, here) })),
    async press(told) {
      const mail = linksOf(told.who, 'verify', told.link)
      const form = {
        password: passwordFor(told.who, told.password),
        account_password: passwordFor(told.who, told.accountPassword),
      }
      if (mail) await visit(told.who, told.browser, (here) => confirmEmail(deps, here, { token: mail.token, ...form }))
    },
    async notMe(told) {
      const mail = linksOf(told.who, 'verify', told.link)
      if (mail) await visit(told.who, told.browser, (here) => disown(deps, here, mail.token))
    },
    resend: (told) => ownVisit(told.who, told.browser, ({ user }) => resendVerificationMail(deps, user.id)),
    askReset: ({ address: of }) =>
      mailResetLinks(deps, { email: addresses[of], requestId: randomUUID(), sessionId: null }),
    reset: (told) =>
      reset(told.who, told.browser, linksOf(told.who, 'reset', told.link), passwordFor(told.who, told.password)),
    changeEmail: (told) => changeEmail(told.who, told.browser, told.to),
    time: async ({ hours }) => clock.setOffset(clock.offset() + hours * 3_600_000),
  }

  return {
    async obey(told: Command): Promise<void> {
      await db.deleteFrom('rate_limits').execute()
      await (obeyed[told.do] as (command: Command) => Promise<unknown>)(told)
      await collectMail()
      await check()
    },
    endsWell,
  }

  /** After each event: whose sessions see what, who has proved which address, and whether every service has an owner. */
  async function check(): Promise<void> {
    const services = await db
      .selectFrom('services')
      .innerJoin('users', 'users.id', 'services.user_id')
      .select(['services.id', 'user_id', 'email', 'email_verified_at'])
      .execute()
    if (services.length !== makerOf.size)
      throw new Error(`${makerOf.size} services were activated, ${services.length} are there`)
    const sessions = await db
      .selectFrom('sessions')
      .select(['token_hash', 'user_id'])
      .where('user_id', 'is not', null)
      .execute()
    for (const person of ['vera', 'mallory'] as const) {
      const own = browsers[person].map(({ cookie }) => hashToken(cookie?.split('.')[0] ?? ''))
      const signedIn = sessions.filter(({ token_hash }) => own.includes(token_hash)).map(({ user_id }) => user_id)
      const seen = services.filter(({ user_id }) => signedIn.includes(user_id))
      if (seen.some(({ id }) => makerOf.get(id) !== person))
        throw new Error(`${person} is signed in to what the other has activated`)
    }
    for (const { id, email, email_verified_at } of services) {
      if (email_verified_at && readerOfMail(email) !== makerOf.get(id))
        throw new Error(`an account proved for ${email} has a service of a person who does not read it`)
    }
  }

  /** At the end everybody gets into what they activated, with the password they chose for it and nothing else. */
  async function endsWell(): Promise<void> {
    const there = await db.selectFrom('users').selectAll().execute()
    for (const account of there) {
      const known = accounts.get(account.id)
      if (!known) throw new Error('an account that neither made')
      await db.deleteFrom('rate_limits').execute()
      browsers[known.maker].push(fresh())
      const newest = browsers[known.maker].length - 1
      const entered = await visit(known.maker, newest, (here) =>
        logIn(deps, here, { username: account.email, password: known.password }),
      )
      if (entered instanceof Refusal) throw new Error(`${known.maker} does not get in`)
      const { userId } = await readSession(db, secrets, browsers[known.maker][newest]?.cookie)
      if (accounts.get(userId ?? '')?.maker !== known.maker) throw new Error(`${known.maker} gets in somewhere else`)
      await check()
    }
  }
}

const hasCookies = (done: unknown): done is { cookies: Cookies } =>
  typeof done === 'object' && done !== null && 'cookies' in done

const fresh = (): Browser => ({ cookie: undefined, device: null })
