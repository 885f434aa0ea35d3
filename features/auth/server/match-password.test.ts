import { expect, test } from 'vitest'
import { type Passwords, createSeededPasswords } from '#kit/server/password.ts'
import { matchPassword } from './match-password.ts'

const email = 'ana@example.nz'
const real = createSeededPasswords('a seed')

function counting(): { passwords: Passwords; cost(): number } {
  let count = 0
  const counted =
    <A extends unknown[], T>(act: (...args: A) => Promise<T>) =>
    (...args: A) => {
      count++
      return act(...args)
    }
  return { passwords: { ...real, hash: counted(real.hash), verify: counted(real.verify) }, cost: () => count }
}

async function outcome(password: string, { claims = 0, owner }: { claims?: number; owner?: string }) {
  const { passwords, cost } = counting()
  const strangers = Array.from({ length: claims }, async (_, index) => ({
    id: `claim ${index}`,
    password_hash: await real.hash(`a claim's ${index}`, email),
  }))
  const accounts = await Promise.all([
    ...(owner === undefined ? [] : [{ id: 'owner', password_hash: owner }]),
    ...strangers,
  ])
  const { hash, matches } = await matchPassword(passwords, { email, accounts }, password)
  expect(hash).toBe(await real.hash(password, email))
  return [matches.map(({ id }) => id), cost()]
}

const here = await real.hash('korimako1', email)
const movedHere = await real.hash('korimako1', 'before@example.nz')

test('checking a correct password computes one hash, however many accounts share the email address', async () => {
  expect(await outcome('korimako1', { owner: here })).toEqual([['owner'], 1])
  expect(await outcome('korimako1', { owner: here, claims: 12 })).toEqual([['owner'], 1])
  expect(await outcome("a claim's 7", { owner: here, claims: 12 })).toEqual([['claim 7'], 1])
})

test('checking a wrong password computes two hashes, however many accounts share the email address', async () => {
  expect(await outcome('wrong 1', {})).toEqual([[], 2])
  expect(await outcome('wrong 1', { owner: here })).toEqual([[], 2])
  expect(await outcome('wrong 1', { owner: here, claims: 12 })).toEqual([[], 2])
  expect(await outcome('wrong 1', { owner: movedHere, claims: 12 })).toEqual([[], 2])
  // An account without a password never matches, not even with an empty password.
  expect(await outcome('', { owner: '' })).toEqual([[], 2])
})

test('checking a correct password computes two hashes if the owner recently switched to this email address', async () => {
  expect(await outcome('korimako1', { owner: movedHere })).toEqual([['owner'], 2])
  expect(await outcome("a claim's 0", { owner: movedHere, claims: 1 })).toEqual([['claim 0'], 2])
})

test.each([
  // What was hashed, what is typed, and how many hashes the check computes.
  ['p\u014dhutukawa', 'po\u0304hutukawa', 1],
  ['po\u0304hutukawa', 'po\u0304hutukawa', 2],
  ['po\u0304hutukawa', 'p\u014dhutukawa', 2],
  ['\ufb01o\u0304', '\ufb01\u014d', 3],
])('a password hashed as %j matches %j', async (hashed, typed, cost) => {
  const { passwords, cost: counted } = counting()
  const accounts = [{ id: 'owner', password_hash: await real.hash(hashed, email) }]
  const { hash, matches } = await matchPassword(passwords, { email, accounts }, typed)
  expect([matches, counted()]).toEqual([accounts, cost])
  expect(hash).toBe(await real.hash(typed.normalize('NFKC'), email))
})

test('a wrong password with several Unicode forms computes three hashes, whether or not the address has accounts', async () => {
  for (const owner of [undefined, here, movedHere, await real.hash('po\u0304', email)]) {
    const { passwords, cost } = counting()
    const accounts = owner === undefined ? [] : [{ password_hash: owner }]
    expect((await matchPassword(passwords, { email, accounts }, 'wr\u014dng 1')).matches).toEqual([])
    expect(cost()).toBe(3)
  }
})

test('an account with a former salt and a hash from before normalisation is matched by the third hash', async () => {
  const { passwords, cost } = counting()
  const accounts = [{ password_hash: await real.hash('korimako\u20261', 'before@example.nz') }]
  expect((await matchPassword(passwords, { email, accounts }, 'korimako\u20261')).matches).toEqual(accounts)
  expect(cost()).toBe(3)
})

test('a password opens all accounts that have it, in whichever form each was hashed', async () => {
  const accounts = [
    { password_hash: await real.hash('korimako\u20261', email) },
    { password_hash: await real.hash('korimako...1', email) },
  ]
  expect((await matchPassword(real, { email, accounts }, 'korimako\u20261')).matches).toEqual(accounts)
})
