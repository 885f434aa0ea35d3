import { describe, expect, test } from 'vitest'
import { ApiError, toFormErrors, formMessages, getErrorEntryMessage } from './errors.ts'

describe('toFormErrors: errors shown on a form', () => {
  const fields = { email: ['Please enter a valid email address.'], __all__: [{ message: 'Used.', actions: [] }] }

  test('shows all field errors from a 400 response', () => expect(toFormErrors(new ApiError(400, fields))).toBe(fields))

  test('shows no error when the body of a 400 response is an empty object', () =>
    expect(toFormErrors(new ApiError(400, {}))).toEqual({}))

  test.each([null, 'no', 7, [], ['no'], { email: 'no' }, { email: ['no'], why: 'no' }, undefined])(
    'shows the general server error when the body of a 400 response is not a map of errors: %j',
    (body) => expect(toFormErrors(new ApiError(400, body))).toEqual({ __all__: [formMessages.server] }),
  )

  test.each([401, 403, 404, 409, 500, 502])(
    'shows the general server error for a %i response, whatever its body',
    (status) =>
      expect(toFormErrors(new ApiError(status, fields))).toEqual({
        __all__: ['Something went wrong. Please try refreshing the page.'],
      }),
  )

  test('asks the visitor to wait after a 429 response', () =>
    expect(toFormErrors(new ApiError(429, fields))).toEqual({
      __all__: ['Too many requests. Please try again shortly.'],
    }))

  test('shows the hints from a 429 response after the message that asks the visitor to wait', () => {
    const hint = { message: 'Use the link that we sent.', actions: [{ url: '/help/', text: 'Help' }] }
    const body = { code: 'Too many requests. Please try again shortly.', hints: [hint] }
    expect(toFormErrors(new ApiError(429, body))).toEqual({
      __all__: ['Too many requests. Please try again shortly.', hint],
    })
  })

  test.each([null, undefined, 'busy', 7, true, {}, { hints: 'Wait.' }])(
    'after a 429 response without a list of hints, asks the visitor to wait and shows nothing else: %j',
    (body) => expect(toFormErrors(new ApiError(429, body))).toEqual({ __all__: [formMessages.tooMany] }),
  )

  test.each([new ApiError(0, fields), new TypeError('fetch failed'), { status: 400, body: fields }, null])(
    'shows the message for a missing response when the call fails with %s',
    (failure) =>
      expect(toFormErrors(failure)).toEqual({
        __all__: ['Sorry, there was an unexpected error. Please refresh and try again.'],
      }),
  )
})

describe('ApiError: errors from API calls', () => {
  test("an ApiError's message contains the response status", () => {
    expect(new ApiError(503, 'down')).toMatchObject({
      name: 'ApiError',
      message: 'The API responded with status 503',
      body: 'down',
    })
  })

  test('recognises an ApiError by its name and status, even if it was created by another copy of the class', () => {
    const copy = Object.assign(new Error('x'), { name: 'ApiError', status: 404 })
    expect(copy instanceof ApiError).toBe(true)
    expect(Object.assign(new Error('x'), { name: 'ApiError' }) instanceof ApiError).toBe(false)
    expect(Object.assign(new Error('x'), { status: 404 }) instanceof ApiError).toBe(false)
    expect(({ name: 'ApiError', status: 404 } as unknown) instanceof ApiError).toBe(false)
  })
})

test('messageOfEntry returns the message of an error that is plain text or an object', () => {
  expect(getErrorEntryMessage('Please log in.')).toBe('Please log in.')
  expect(getErrorEntryMessage({ message: 'Please log in.', actions: [{ url: '/login/', text: 'Log in' }] })).toBe(
    'Please log in.',
  )
})
