import type { Passwords } from '#kit/server/password.ts'
import { HttpError } from '#kit/server/http-error.ts'
import { hashToken } from '#kit/server/secrets.ts'
import { readSession } from '#kit/server/session.ts'
import { findVisitor } from '#features/auth/server/visitor.store.ts'
import { logIn } from '#features/auth/server/login.ts'

import { act } from './claims-actions.ts'
import type { Command } from './claims-commands.ts'
import {
  collectSentEmails,
  fresh,
  type ModelDeps,
  createClaimModelState,
  type ClaimModelState,
  getEmailReader,
  visit,
} from './claim-model-state.ts'

/** Caches password hashes by password and email. This model tests who can log in with a password, not how much work hashing is. */
export function withHashCache(passwords: Passwords): Passwords {
  const known = new Map<string, Promise<unknown>>()
  const once = <T>(key: string, make: () => Promise<T>): Promise<T> => {
    const cachedPromise = known.get(key) as Promise<T> | undefined
    const made = cachedPromise ?? make()
    known.set(key, made)
    return made
  }
  return {
    decoy: passwords.decoy,
    isSame: passwords.isSame,
    hash: (text, email) => once(`hash|${text}|${email}`, () => passwords.hash(text, email)),
    verify: (text, hash) => once(`verify|${text}|${hash}`, () => passwords.verify(text, hash)),
  }
}

/**
 * Creates a model of two people who start with an empty database. `obey` carries out a command, and throws an error if one of them gets
 * access to something that belongs to the other.
 */
export function createClaimModel(deps: ModelDeps) {
  const people = createClaimModelState(deps)
  return {
    async obey(told: Command): Promise<void> {
      await deps.db.deleteFrom('rate_limits').execute()
      await act(people, told)
      await collectSentEmails(people)
      await check(people)
    },
    endsWell: () => checkFinalAccess(people),
  }
}

async function check({ deps: { db }, browsers, makerOf }: ClaimModelState): Promise<void> {
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
    const signedInUserIds = sessions.filter(({ token_hash }) => own.includes(token_hash)).map(({ user_id }) => user_id)
    const seen = services.filter(({ user_id }) => signedInUserIds.includes(user_id))
    if (seen.some(({ id }) => makerOf.get(id) !== person))
      throw new Error(`${person} is signed in to what the other has activated`)
  }
  for (const { id, email, email_verified_at } of services) {
    if (email_verified_at && getEmailReader(email) !== makerOf.get(id))
      throw new Error(`an account verified for ${email} has a service of a person who does not read it`)
  }
}

async function checkFinalAccess(people: ClaimModelState): Promise<void> {
  const { deps, browsers, accounts } = people
  const { db, secrets } = deps
  const there = await db.selectFrom('users').selectAll().execute()
  for (const account of there) {
    const known = accounts.get(account.id)
    if (!known) throw new Error('an account that neither made')
    await db.deleteFrom('rate_limits').execute()
    browsers[known.maker].push(fresh())
    const newestBrowser = browsers[known.maker].length - 1
    const loginResult = await visit(people, { person: known.maker, browser: newestBrowser }, (here) =>
      logIn(deps, here, { username: account.email, password: known.password }),
    )
    if (loginResult instanceof HttpError) throw new Error(`${known.maker} does not get in`)
    const { session } = await readSession(db, secrets, browsers[known.maker][newestBrowser]?.cookie, findVisitor)
    if (accounts.get(session.userId ?? '')?.maker !== known.maker)
      throw new Error(`${known.maker} gets in somewhere else`)
    await check(people)
  }
}
