import { sql } from 'kysely'
import { transact } from '#kit/server/db.ts'
import type { Passwords } from '#kit/server/password.ts'
import { HttpError } from '#kit/server/http-error.ts'
import { generateSession } from '#kit/server/session.ts'
import type { SignedInContext, RequestContext } from '#kit/server/request-context.ts'
import { changeOwnPassword } from '#features/account/server/change-password.ts'
import { checkSignupPassword } from '#features/auth/server/auth.ts'
import { logIn } from '#features/auth/server/login.ts'
import { emailResetLinks, applyResetLink } from '#features/auth/server/password-reset.ts'
import { countResetRequest } from '#features/auth/server/reset-limits.ts'
import { findUser, insertUser, markEmailVerified, toSignedInUser } from '#features/auth/server/users.store.ts'
import { withHashCache } from './claims-model.ts'
import type { ModelDeps } from './claim-model-state.ts'
import { addressCount, attackerBrowsers, type GuessingCommand, sharedAddressIndex } from './guessing-commands.ts'

const email = 'owner@example.nz'
const passwordByRole = { owner: 'kereru in the tree 1', attacker: 'takahe in the grass 1' }

/**
 * The period, in milliseconds, in which an account's password may be compared no more than `maxGuesses` times. It is 15 minutes, less an
 * allowance for slow machines.
 */
const guessWindowMs = 15 * 60_000 - 5_000
const maxGuesses = 100

type Model = {
  deps: ModelDeps
  ownerId: string
  ownerPassword: string
  attacker: (string | null)[]
  ownerDevice: string | null
  movedMs: number
  isAttacking: boolean
  comparisons: number[]
}

const now = ({ movedMs }: Model): number => Date.now() + movedMs

function withComparisonCount(passwords: Passwords, model: Model): Passwords {
  let ownerHash = ''
  const note = (kept: string) => {
    if (model.isAttacking && kept === ownerHash) model.comparisons.push(now(model))
  }
  return {
    decoy: passwords.decoy,
    async hash(password, address) {
      const hash = await passwords.hash(password, address)
      if (!model.isAttacking && password === model.ownerPassword) ownerHash = hash
      return hash
    },
    isSame: (made, kept) => (note(kept), passwords.isSame(made, kept)),
    verify: (password, kept) => (note(kept), passwords.verify(password, kept)),
  }
}

const createRequestContext = ({ deps }: Model, device: string | null, address: number): RequestContext => ({
  session: generateSession(deps.secrets),
  user: null,
  device,
  clientIp: `198.51.100.${address + 1}`,
  inProcess: false,
})

const nullIfRefused = <T>(act: Promise<T>): Promise<T | null> =>
  act.catch((error: unknown) => (error instanceof HttpError ? null : Promise.reject(error)))

const enter = async (model: Model, visit: RequestContext, password: string): Promise<string | null> =>
  (await nullIfRefused(logIn(model.deps, visit, { username: email, password })))?.cookies.device ?? null

async function makeAccount(model: Model, password: string, isVerified: boolean): Promise<string> {
  const { db, clock, passwords } = model.deps
  const names = { first_name: 'Ana', last_name: 'Rewi', marketing_consent: false }
  const password_hash = await passwords.hash(password, email)
  return transact(db, async (trx) => {
    const id = await insertUser(trx, { email, password_hash, ...names }, clock.now())
    if (isVerified) await markEmailVerified(trx, id, email, clock.now())
    return id
  })
}

async function changePassword(model: Model): Promise<void> {
  const { deps, ownerId, ownerDevice, ownerPassword } = model
  const owner = await findUser(deps.db, ownerId)
  if (!owner) throw new Error('the owner has no account')
  const visit: SignedInContext = {
    ...createRequestContext(model, ownerDevice, sharedAddressIndex),
    user: toSignedInUser(owner),
  }
  model.attacker[attackerBrowsers.ownersOldCookie] = ownerDevice
  model.ownerPassword = `${passwordByRole.owner}${ownerPassword.length % 9}`
  const answers = { old_password: ownerPassword, new_password: model.ownerPassword }
  model.ownerDevice = (await changeOwnPassword(deps, visit, answers)).device
}

async function repeatAsAttacker(model: Model, times: number, act: () => Promise<unknown>): Promise<void> {
  model.isAttacking = true
  for (let time = 0; time < times; time++) await act()
  model.isAttacking = false
}

const acts: { [C in GuessingCommand as C['do']]: (model: Model, command: C) => Promise<void> } = {
  guess: (model, { browser, address, times }) =>
    repeatAsAttacker(model, times, () =>
      enter(model, createRequestContext(model, model.attacker[browser] ?? null, address), 'a guess 1'),
    ),
  async guessFromEverywhere(model, { browser }) {
    for (let address = 0; address < addressCount; address++)
      await acts.guess(model, { do: 'guess', browser, address, times: 10 })
  },
  enterOwnAccount: (model, { browser, address, times }) =>
    repeatAsAttacker(model, times, async () => {
      const device = browser === attackerBrowsers.new ? null : (model.attacker[browser] ?? null)
      const deviceToken = await enter(model, createRequestContext(model, device, address), passwordByRole.attacker)
      if (deviceToken && browser !== attackerBrowsers.ownersOldCookie) model.attacker[browser] = deviceToken
    }),
  signUp: (model, { address, times }) =>
    repeatAsAttacker(model, times, () =>
      checkSignupPassword(model.deps, createRequestContext(model, null, address), { email, password: 'a guess 1' }),
    ),
  askForReset: (model, { browser, address, times }) =>
    repeatAsAttacker(model, times, () =>
      requestReset(model, createRequestContext(model, model.attacker[browser] ?? null, address)),
    ),
  async ownerMistypes(model) {
    await enter(model, createRequestContext(model, model.ownerDevice, sharedAddressIndex), 'mistyped 1')
    await logInAsOwner(model)
  },
  ownerChangesPassword: changePassword,
  async wait(model, { minutes }) {
    const { db, clock } = model.deps
    model.movedMs += minutes * 60_000
    clock.setOffset(model.movedMs)
    await sql`update rate_limits set window_started_at = window_started_at - make_interval(mins => ${minutes})`.execute(
      db,
    )
  },
}

async function requestReset(model: Model, visit: RequestContext): Promise<void> {
  const request = { email, next: '/', requestId: crypto.randomUUID(), sessionId: null }
  const isAccepted = await nullIfRefused(countResetRequest(model.deps, visit, email).then(() => true))
  if (isAccepted) await transact(model.deps.db, (trx) => emailResetLinks(trx, model.deps, request))
}

async function logInAsOwner(model: Model): Promise<void> {
  const device = await enter(
    model,
    createRequestContext(model, model.ownerDevice, sharedAddressIndex),
    model.ownerPassword,
  )
  if (!device) throw new Error('the owner does not get in from a known browser')
  model.ownerDevice = device
}

/**
 * Has the owner request a reset link, using a new browser at the shared address. If the request exceeds the limit, the latest of the
 * earlier links must still work.
 */
async function resetAsOwner(model: Model): Promise<void> {
  const { deps, ownerId } = model
  await requestReset(model, createRequestContext(model, null, sharedAddressIndex))
  const rows = await deps.db.selectFrom('messages').select('sealed_body').orderBy('created_at', 'desc').execute()
  const uid = Buffer.from(ownerId).toString('base64url')
  const [token] = rows.flatMap(({ sealed_body }) => {
    const { text } = JSON.parse(deps.secrets.open(sealed_body ?? '')) as { text: string }
    return new RegExp(`/password-reset/${uid}/([\\w-]+)`).exec(text)?.[1] ?? []
  })
  const form = { password: 'a new kereru 77', pin: '' }
  const visit = createRequestContext(model, null, sharedAddressIndex)
  if (!token || !(await nullIfRefused(applyResetLink(deps, visit, { uid, token }, form))))
    throw new Error('the owner has no reset link that works')
}

function checkComparisons({ comparisons }: Model): void {
  comparisons.forEach((first, index) => {
    const count = comparisons.slice(index).filter((at) => at - first < guessWindowMs).length
    if (count > maxGuesses) throw new Error(`${count} guesses at the owner's password in 15 minutes`)
  })
}

/**
 * Attacks an account in an empty database, and returns how often the owner's password was compared with a guess.
 * @throws if the owner cannot log in or reset the password
 */
export async function runAttack(deps: ModelDeps, commands: readonly GuessingCommand[]): Promise<number> {
  const model: Model = {
    deps,
    ownerId: '',
    ownerPassword: passwordByRole.owner,
    attacker: [null, null, null, null],
    ownerDevice: null,
    movedMs: 0,
    isAttacking: false,
    comparisons: [],
  }
  model.deps = { ...deps, passwords: withComparisonCount(withHashCache(deps.passwords), model) }
  model.ownerId = await makeAccount(model, passwordByRole.owner, true)
  await logInAsOwner(model)
  await changePassword(model)
  await makeAccount(model, passwordByRole.attacker, false)
  for (const browser of [attackerBrowsers.known, attackerBrowsers.alsoKnown])
    await acts.enterOwnAccount(model, { do: 'enterOwnAccount', browser, address: 1, times: 1 })
  for (const command of commands) {
    await (acts[command.do] as (model: Model, command: GuessingCommand) => Promise<void>)(model, command)
    checkComparisons(model)
  }
  await logInAsOwner(model)
  await resetAsOwner(model)
  return model.comparisons.length
}
