import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  changed,
  errorsIn,
  failed,
  isBlocked,
  issuesOf,
  left,
  placed,
  startOf,
  submitted,
  succeeded,
} from './form-state.ts'

const schema = v.pipe(
  v.object({
    email: v.pipe(v.string(), v.nonEmpty('Required.'), v.email('No address.')),
    password: v.pipe(v.string(), v.minLength(6, 'Too short.'), v.regex(/[a-z]/, 'No letter.')),
    confirm: v.pipe(v.string(), v.nonEmpty('Required.')),
  }),
  v.forward(
    v.partialCheck([['password'], ['confirm']], (form) => form.password === form.confirm, 'No match.'),
    ['confirm'],
  ),
)
const start = startOf({ email: '', password: '', confirm: '' })
const fill = (values: Partial<typeof start.values>) => changed(start, values, schema)

test('an empty field is told one thing, a filled one everything that is wrong with it', () => {
  expect(issuesOf(schema, { email: '', password: '1234', confirm: '1234' })).toEqual({
    email: ['Required.'],
    password: ['Too short.', 'No letter.'],
  })
})

test('an issue without a path belongs to the whole form', () => {
  const never = v.pipe(
    v.object({}),
    v.check(() => false, 'Not today.'),
  )
  expect(issuesOf(never, {})).toEqual({ __all__: ['Not today.'] })
})

test('leaving a field shows its own errors only, a rule over two fields included', () => {
  expect(errorsIn(left(start, 'email', schema))).toEqual({ email: ['Required.'] })
  const mismatch = fill({ password: 'abcdef', confirm: 'abcdeg' })
  expect(errorsIn(left(mismatch, 'confirm', schema))).toEqual({ confirm: ['No match.'] })
})

test('a change clears the errors of what changed and marks it dirty', () => {
  const state = changed(left(left(start, 'email', schema), 'password', schema), { email: 'a' }, schema)
  expect(errorsIn(state)).toEqual({ password: ['Too short.'] })
  expect(state.dirty).toEqual(['email'])
})

test('a change also clears what it has cured elsewhere, and nothing more', () => {
  const mismatch = left(fill({ password: 'abcdef', confirm: 'abcdeg' }), 'confirm', schema)
  expect(errorsIn(changed(mismatch, { password: 'abcdeg' }, schema))).toEqual({})
  expect(errorsIn(changed(mismatch, { password: 'abcdex' }, schema))).toEqual({ confirm: ['No match.'] })
})

test('an error of ours blocks the form until it is gone', () => {
  const bad = left(start, 'email', schema)
  expect(isBlocked(bad)).toBe(true)
  expect(isBlocked(changed(bad, { email: 'a@b.nz' }, schema))).toBe(false)
})

test('the verdict of the server on a field blocks until something changes, and stays to be read', () => {
  const refused = failed(start, { email: ['Taken.'], password: ['Guessed.'] }, start.values)
  expect(isBlocked(refused)).toBe(true)
  const next = changed(refused, { email: 'b@b.nz' }, schema)
  expect(isBlocked(next)).toBe(false)
  expect(errorsIn(next)).toEqual({ password: ['Guessed.'] })
})

test('a message to the whole form does not keep it from being sent again', () => {
  expect(isBlocked(failed(start, { __all__: ['No answer.'] }, start.values))).toBe(false)
})

test('submission forgets what the server once said and stops at errors of ours', () => {
  const again = submitted(failed(start, { __all__: ['No answer.'] }, start.values), {})
  expect(again.status).toBe('submitting')
  expect(errorsIn(again)).toEqual({})
  expect(submitted(start, { email: ['Required.'] }).status).toBe('failure')
})

test('success ends what was dirty', () => {
  expect(succeeded(fill({ email: 'a@b.nz' }), 'Saved')).toMatchObject({ status: 'success', dirty: [], toast: 'Saved' })
  expect(succeeded(fill({ email: 'a@b.nz' }), null, { email: '' })).toMatchObject({
    status: 'success',
    dirty: [],
    values: { email: '' },
  })
})

test('entries that say the same show once, entries with links too', () => {
  const linked = { message: 'Gone.', actions: [{ url: '/', text: 'Home' }] }
  const state = failed(
    submitted(start, { __all__: ['Twice.'] }),
    { __all__: ['Twice.', linked, { ...linked }] },
    start.values,
  )
  expect(errorsIn(state)).toEqual({ __all__: ['Twice.', linked] })
})

test('errors of fields that are not there go to the whole form', () => {
  const isOnForm = (name: string) => name === 'email' || name === '__all__'
  expect(placed({ email: ['A'], sku: ['B'], __all__: ['C'] }, isOnForm)).toEqual({ email: ['A'], __all__: ['B', 'C'] })
})

test('an answer says nothing of what was typed while it was awaited', () => {
  const edited = changed(submitted(start, {}), { email: 'other@example.nz' }, schema)
  const state = failed(edited, { email: ['Taken.'], password: ['Guessed.'] }, start.values)
  expect(errorsIn(state)).toEqual({ password: ['Guessed.'] })
  expect(isBlocked(state)).toBe(false)
})
