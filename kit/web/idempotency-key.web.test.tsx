import { beforeEach, expect, test, vi } from 'vitest'

async function freshPage() {
  vi.resetModules()
  return import('./idempotency-key.ts')
}

beforeEach(() => sessionStorage.clear())

test('each kind of purchase has its own idempotency key, which is a random UUID', async () => {
  const { getIdempotencyKey } = await freshPage()
  const keys = [getIdempotencyKey('activation'), getIdempotencyKey('renewal')]
  for (const key of keys) expect(key).toMatch(/^[\da-f]{8}-[\da-f]{4}-4[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  expect(keys[0]).not.toBe(keys[1])
  expect([getIdempotencyKey('activation'), getIdempotencyKey('renewal')]).toEqual(keys)
})

test('an idempotency key survives a reload until it is cleared', async () => {
  const first = await freshPage()
  const key = first.getIdempotencyKey('activation')
  const other = first.getIdempotencyKey('renewal')
  const second = await freshPage()
  expect(second.getIdempotencyKey('activation')).toBe(key)
  second.clearIdempotencyKey('activation')
  expect(second.getIdempotencyKey('activation')).not.toBe(key)
  const third = await freshPage()
  expect(third.getIdempotencyKey('activation')).not.toBe(key)
  expect(third.getIdempotencyKey('renewal')).toBe(other)
})

test('without session storage, an idempotency key lasts as long as its page', async () => {
  const denied = () => {
    throw new DOMException('denied', 'SecurityError')
  }
  vi.stubGlobal('sessionStorage', { getItem: denied, setItem: denied, removeItem: denied })
  const { clearIdempotencyKey, getIdempotencyKey } = await freshPage()
  const key = getIdempotencyKey('activation')
  expect(getIdempotencyKey('activation')).toBe(key)
  clearIdempotencyKey('activation')
  expect(getIdempotencyKey('activation')).not.toBe(key)
})
