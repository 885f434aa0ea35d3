import * as v from 'valibot'
import { expect, test } from 'vitest'
import {
  applyChange,
  collectErrors,
  applyFailure,
  hasBlockingErrors,
  collectIssues,
  applyBlur,
  assignErrorsToFields,
  createInitialFormState,
  applySubmission,
  applySuccess,
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
const start = createInitialFormState({ email: '', password: '', confirm: '' })
const fill = (values: Partial<typeof start.values>) => applyChange(start, values, schema)

test('an empty required field shows a single error, and a filled field shows all its errors', () => {
  expect(collectIssues(schema, { email: '', password: '1234', confirm: '1234' })).toEqual({
    email: ['Required.'],
    password: ['Too short.', 'No letter.'],
  })
})

test('a validation issue without a path applies to the whole form', () => {
  const never = v.pipe(
    v.object({}),
    v.check(() => false, 'Not today.'),
  )
  expect(collectIssues(never, {})).toEqual({ __all__: ['Not today.'] })
})

test("leaving a field shows only that field's errors, including an error from a rule about two fields", () => {
  expect(collectErrors(applyBlur(start, 'email', schema))).toEqual({ email: ['Required.'] })
  const mismatch = fill({ password: 'abcdef', confirm: 'abcdeg' })
  expect(collectErrors(applyBlur(mismatch, 'confirm', schema))).toEqual({ confirm: ['No match.'] })
})

test("a change clears the changed field's errors and marks the field as dirty", () => {
  const state = applyChange(applyBlur(applyBlur(start, 'email', schema), 'password', schema), { email: 'a' }, schema)
  expect(collectErrors(state)).toEqual({ password: ['Too short.'] })
  expect(state.dirty).toEqual(['email'])
})

test("changing one field clears another field's error only if the change corrects it", () => {
  const mismatch = applyBlur(fill({ password: 'abcdef', confirm: 'abcdeg' }), 'confirm', schema)
  expect(collectErrors(applyChange(mismatch, { password: 'abcdeg' }, schema))).toEqual({})
  expect(collectErrors(applyChange(mismatch, { password: 'abcdex' }, schema))).toEqual({ confirm: ['No match.'] })
})

test('a validation error blocks the form until it is corrected', () => {
  const bad = applyBlur(start, 'email', schema)
  expect(hasBlockingErrors(bad)).toBe(true)
  expect(hasBlockingErrors(applyChange(bad, { email: 'a@b.nz' }, schema))).toBe(false)
})

test('a field error from the server blocks the form until any field changes, but is shown until its own field changes', () => {
  const refused = applyFailure(start, { email: ['Taken.'], password: ['Guessed.'] }, start.values)
  expect(hasBlockingErrors(refused)).toBe(true)
  const next = applyChange(refused, { email: 'b@b.nz' }, schema)
  expect(hasBlockingErrors(next)).toBe(false)
  expect(collectErrors(next)).toEqual({ password: ['Guessed.'] })
})

test('an error for the whole form does not prevent another submission', () => {
  expect(hasBlockingErrors(applyFailure(start, { __all__: ['No answer.'] }, start.values))).toBe(false)
})

test("submitting clears the server's earlier errors, and stops if there are validation errors", () => {
  const again = applySubmission(applyFailure(start, { __all__: ['No answer.'] }, start.values), {})
  expect(again.status).toBe('submitting')
  expect(collectErrors(again)).toEqual({})
  expect(applySubmission(start, { email: ['Required.'] }).status).toBe('failure')
})

test('a successful submission leaves no field dirty', () => {
  expect(applySuccess(fill({ email: 'a@b.nz' }), 'Saved')).toMatchObject({
    status: 'success',
    dirty: [],
    toast: 'Saved',
  })
  expect(applySuccess(fill({ email: 'a@b.nz' }), null, { email: '' })).toMatchObject({
    status: 'success',
    dirty: [],
    values: { email: '' },
  })
})

test('a form shows an error only once, even if the server reports it twice', () => {
  const linked = { message: 'Gone.', actions: [{ url: '/', text: 'Home' }] }
  const state = applyFailure(
    applySubmission(start, { __all__: ['Twice.'] }),
    { __all__: ['Twice.', linked, { ...linked }] },
    start.values,
  )
  expect(collectErrors(state)).toEqual({ __all__: ['Twice.', linked] })
})

test('errors in fields that are not on the form are shown for the whole form', () => {
  const isOnForm = (name: string) => name === 'email' || name === '__all__'
  expect(assignErrorsToFields({ email: ['A'], sku: ['B'], __all__: ['C'] }, isOnForm)).toEqual({
    email: ['A'],
    __all__: ['B', 'C'],
  })
})

test('a server error is not shown at a field that changed while the response was pending', () => {
  const edited = applyChange(applySubmission(start, {}), { email: 'other@example.nz' }, schema)
  const state = applyFailure(edited, { email: ['Taken.'], password: ['Guessed.'] }, start.values)
  expect(collectErrors(state)).toEqual({ password: ['Guessed.'] })
  expect(hasBlockingErrors(state)).toBe(false)
})
