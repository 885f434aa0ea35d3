import { expect, test, vi } from 'vitest'
import { answerAhead } from './answer-ahead.ts'
import { unauthorised } from './refusal.ts'
import type { Answered, Route } from './route.ts'
import type { Visit } from './visit.ts'

const visitOf = (
  id: string | null,
  change: { token?: string; session?: string; emailVerified?: boolean } = {},
): Visit => ({
  session: {
    id: change.session ?? 'session',
    userId: id,
    token: change.token ?? 'token',
    csrfToken: 'csrf',
    fresh: false,
  },
  user: id === null ? null : { id, emailVerified: change.emailVerified ?? true, passwordEpoch: 0 },
  device: null,
  clientIp: '203.0.113.7',
  inProcess: false,
})
const nameOf = ({ user }: Visit) => user?.id ?? 'nobody'
type Answer = (visit: Visit) => Promise<Answered>
const answering = () => vi.fn<Answer>(async (visit) => ({ status: 200, body: nameOf(visit) }))
const ahead = { isAhead: true } as Route
const presumed = visitOf('ana')

test('is asked before it is known who calls, and answered once it is', async () => {
  const { promise: known, resolve } = Promise.withResolvers<Visit>()
  const answer = answering()
  const told = vi.fn<(answered: Answered) => void>()
  const answered = answerAhead(ahead, { presumed, known }, answer).then(told)
  await new Promise((turn) => setImmediate(turn))
  expect(answer).toHaveBeenCalledExactlyOnceWith(presumed)
  expect(told).not.toHaveBeenCalled()
  resolve(visitOf('ana'))
  await answered
  expect(told).toHaveBeenCalledWith({ status: 200, body: 'ana' })
  expect(answer).toHaveBeenCalledOnce()
})

test.each([
  ['another customer', visitOf('ben')],
  ['nobody any more', visitOf(null)],
  ['one with another session', visitOf('ana', { session: 'other' })],
  ['one with another token', visitOf('ana', { token: 'other' })],
  ['one whose address is no longer confirmed', visitOf('ana', { emailVerified: false })],
])('for %s it is asked anew, and the first answer is nobody’s', async (_, visit) => {
  const answer = vi.fn<Answer>(async (of) => ({ status: 200, body: of === presumed ? 'presumed' : nameOf(of) }))
  const { body } = await answerAhead(ahead, { presumed, known: Promise.resolve(visit) }, answer)
  expect(body).toBe(nameOf(visit))
  expect(answer.mock.calls).toEqual([[presumed], [visit]])
})

test('that it failed for who does not call is nobody’s either; for who does it is theirs', async () => {
  const refusing = async (visit: Visit) => {
    if (visit === presumed) throw unauthorised()
    return { status: 200, body: nameOf(visit) }
  }
  expect(await answerAhead(ahead, { presumed, known: Promise.resolve(visitOf('ben')) }, refusing)).toMatchObject({
    body: 'ben',
  })
  await expect(
    answerAhead(ahead, { presumed, known: Promise.resolve(visitOf('ana')) }, refusing),
  ).rejects.toMatchObject({ status: 401 })
})

test('where it cannot be told who calls nobody is answered', async () => {
  const away = new Error('the database is away')
  await expect(answerAhead(ahead, { presumed, known: Promise.reject(away) }, answering())).rejects.toBe(away)
})

test('what does more than read is asked once it is known who calls', async () => {
  const answer = answering()
  const visit = visitOf('ana')
  await answerAhead({} as Route, { presumed, known: Promise.resolve(visit) }, answer)
  expect(answer.mock.calls).toEqual([[visit]])
})
