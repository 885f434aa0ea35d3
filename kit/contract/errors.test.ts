import { describe, expect, test } from 'vitest'
import { ApiError, errorsOf, formMessages, sentenceOf } from './errors.ts'

describe('what a form shows', () => {
  const fields = { email: ['Please enter a valid email address.'], __all__: [{ message: 'Used.', actions: [] }] }

  test('is the whole map of a 400', () => expect(errorsOf(new ApiError(400, fields))).toBe(fields))

  test('is nothing for a map of nothing', () => expect(errorsOf(new ApiError(400, {}))).toEqual({}))

  test.each([null, 'no', 7, [], ['no'], { email: 'no' }, { email: ['no'], why: 'no' }, undefined])(
    'is that something went wrong where the body of a 400 is %j',
    (body) => expect(errorsOf(new ApiError(400, body))).toEqual({ __all__: [formMessages.server] }),
  )

  test.each([401, 403, 404, 409, 500, 502])('is that something went wrong for a %i, whatever its body', (status) =>
    expect(errorsOf(new ApiError(status, fields))).toEqual({
      __all__: ['Something went wrong. Please try refreshing the page.'],
    }),
  )

  test('is to wait for a 429', () =>
    expect(errorsOf(new ApiError(429, fields))).toEqual({ __all__: ['Too many requests. Please try again shortly.'] }))

  test('is to wait for a 429, and what the visitor can do meanwhile', () => {
    const hint = { message: 'Use the link that we sent.', actions: [{ url: '/help/', text: 'Help' }] }
    const body = { code: 'Too many requests. Please try again shortly.', hints: [hint] }
    expect(errorsOf(new ApiError(429, body))).toEqual({
      __all__: ['Too many requests. Please try again shortly.', hint],
    })
  })

  test.each([null, undefined, 'busy', 7, true, {}, { hints: 'Wait.' }])(
    'only asks the visitor to wait when the body of a 429 offers no hints: %j',
    (body) => expect(errorsOf(new ApiError(429, body))).toEqual({ __all__: [formMessages.tooMany] }),
  )

  test.each([new ApiError(0, fields), new TypeError('fetch failed'), { status: 400, body: fields }, null])(
    'is that no answer came for %s',
    (failure) =>
      expect(errorsOf(failure)).toEqual({
        __all__: ['Sorry, there was an unexpected error. Please refresh and try again.'],
      }),
  )
})

describe('a failure of a call', () => {
  test('says its status', () => {
    expect(new ApiError(503, 'down')).toMatchObject({ name: 'ApiError', message: 'API answered 503', body: 'down' })
  })

  test('is known by its name, also when another copy of the class made it', () => {
    const copy = Object.assign(new Error('x'), { name: 'ApiError', status: 404 })
    expect(copy instanceof ApiError).toBe(true)
    expect(Object.assign(new Error('x'), { name: 'ApiError' }) instanceof ApiError).toBe(false)
    expect(Object.assign(new Error('x'), { status: 404 }) instanceof ApiError).toBe(false)
    expect(({ name: 'ApiError', status: 404 } as unknown) instanceof ApiError).toBe(false)
  })
})

test('an entry has one sentence, in either of its shapes', () => {
  expect(sentenceOf('Please log in.')).toBe('Please log in.')
  expect(sentenceOf({ message: 'Please log in.', actions: [{ url: '/login/', text: 'Log in' }] })).toBe(
    'Please log in.',
  )
})
