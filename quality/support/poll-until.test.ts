import { NoResultError } from 'kysely'
import { expect, test } from 'vitest'
import { pollUntil } from './poll-until.ts'

const asked = (...answers: unknown[]) => pollUntil(answering(answers))
const askedBriefly = (...answers: unknown[]) => pollUntil(answering(answers), { withinMs: 200 })

function answering(answers: unknown[]): () => Promise<unknown> {
  return async () => {
    const answer = answers.length > 1 ? answers.shift() : answers[0]
    if (answer instanceof Error) throw answer
    return answer
  }
}
const missing = new NoResultError({ kind: 'SelectQueryNode' })

test('pollUntil waits for a result other than undefined, null and false', async () =>
  expect(await asked(undefined, null, false, 0)).toBe(0))
test('pollUntil waits for a database row that does not exist yet', async () =>
  expect(await asked(missing, missing, 'it')).toBe('it'))
test('pollUntil gives up after its time limit', async () => {
  await expect(askedBriefly(undefined)).rejects.toThrow('it did not come true within 200 ms')
  await expect(askedBriefly(missing)).rejects.toThrow('it did not come true within 200 ms')
})
test('pollUntil stops waiting if the polled function throws an error other than NoResultError', async () =>
  expect(asked(new Error('the gateway is on fire'), 'it')).rejects.toThrow('the gateway is on fire'))
