import { act, fireEvent, render, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { hydrateRoot } from 'react-dom/client'
import { renderToString } from 'react-dom/server'
import * as v from 'valibot'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { ApiError, formMessages } from '#kit/contract/errors.ts'
import { CheckboxField } from './CheckboxField.tsx'
import { ChoiceField } from './ChoiceField.tsx'
import { FormActions } from './FormActions.tsx'
import { FormErrors } from './FormErrors.tsx'
import { PasswordField } from './PasswordField.tsx'
import { SubmitButton } from './SubmitButton.tsx'
import { TextField } from './TextField.tsx'
import { toastDurationMs } from '../toast-time.ts'
import type { Form, FormOptions } from './form.ts'
import { useForm } from './use-form.ts'

const required = (message: string) => v.pipe(v.string(), v.nonEmpty(message))
const schema = v.pipe(
  v.object({
    email: v.pipe(required('Email, please.'), v.email('No address.')),
    password: required('Password, please.'),
    confirm: v.string(),
    port: v.boolean('Choose one.'),
    consent: v.boolean(),
  }),
  v.forward(
    v.partialCheck([['password'], ['confirm']], (form) => form.password === form.confirm, 'No match.'),
    ['confirm'],
  ),
)
const initial = { email: '', password: '', confirm: '', port: null as boolean | null, consent: false }
type Values = typeof initial
type Options = Partial<FormOptions<Values>>

let form: Form<Values>
const capture = (made: Form<Values>) => (form = made)

function Example(options: Options) {
  const form = capture(useForm<Values>({ schema, initial, submit: async () => 'done', ...options }))
  return (
    <form {...form.props} aria-label="Example">
      <FormErrors form={form} />
      <TextField form={form} name="email" label="Email" hint="We write to it" allow={/[^ ]/} />
      <PasswordField form={form} name="password" label="Password" />
      <PasswordField form={form} name="confirm" label="Again" />
      <ChoiceField
        form={form}
        name="port"
        legend="Number"
        options={[
          { value: true, label: 'Bring mine' },
          { value: false, label: 'Take a new one' },
        ]}
      />
      <CheckboxField form={form} name="consent" label="I agree" />
      <FormActions back={() => {}}>
        <SubmitButton form={form} pendingText="SENDING">
          SEND
        </SubmitButton>
      </FormActions>
    </form>
  )
}

const user = userEvent.setup()
const email = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' })
const send = () => screen.getByRole<HTMLButtonElement>('button', { name: /SEND/ })

async function fillIn() {
  await user.type(email(), 'ana@example.nz')
  await user.type(screen.getByLabelText('Password'), 'secret1')
  await user.type(screen.getByLabelText('Again'), 'secret1')
  await user.click(screen.getByRole('radio', { name: 'Bring mine' }))
}

beforeEach(() => sessionStorage.clear())
afterEach(() => vi.useRealTimers())

test('a form validates a field when it loses focus, and no other field', async () => {
  render(<Example />)
  await user.click(email())
  expect(screen.queryByText('Email, please.')).toBeNull()
  await user.tab()
  expect(email()).toBeInvalidWith('Email, please.')
  expect(screen.queryByText('Password, please.')).toBeNull()
  expect(screen.queryByText('We write to it')).toBeNull()
  expect(send().disabled).toBe(true)
})

test("typing clears the field's error and enables the submit button again", async () => {
  render(<Example />)
  await user.click(email())
  await user.tab()
  fireEvent.change(email(), { target: { value: 'a' } })
  expect(screen.queryByText('Email, please.')).toBeNull()
  expect(email().getAttribute('aria-invalid')).toBeNull()
  expect(screen.getByText('We write to it')).toBeDefined()
  expect(send().disabled).toBe(false)
})

test('an error about two fields is shown beside one of them, and changing either field clears it', async () => {
  render(<Example />)
  await user.type(screen.getByLabelText('Password'), 'secret1')
  await user.type(screen.getByLabelText('Again'), 'secret')
  await user.tab()
  expect(screen.getByLabelText('Again')).toBeInvalidWith('No match.')
  await user.type(screen.getByLabelText('Password'), '{Backspace}')
  expect(screen.queryByText('No match.')).toBeNull()
})

test('submitting an invalid form shows every error, focuses the first invalid field and sends nothing', async () => {
  const submit = vi.fn<() => Promise<void>>()
  render(<Example submit={submit} />)
  await user.click(send())
  expect(email()).toBeInvalidWith('Email, please.')
  expect(screen.getByLabelText('Password')).toBeInvalidWith('Password, please.')
  expect(screen.getByRole('radiogroup', { name: 'Number' })).toBeInvalidWith('Choose one.')
  await expect.poll(() => document.activeElement).toBe(email())
  expect(send().disabled).toBe(true)
  expect(submit).not.toHaveBeenCalled()
})

test('pressing the submit button while an invalid field has the focus still shows every error', async () => {
  render(<Example />)
  await user.click(screen.getByLabelText('Password'))
  await user.click(send())
  expect(Object.keys(form.errors)).toEqual(['email', 'password', 'port'])
  await expect.poll(() => document.activeElement).toBe(email())
})

test('submitting a form whose first invalid field is a radio group focuses its first radio button', async () => {
  render(<Example />)
  await fillIn()
  act(() => form.set('port', null))
  await user.click(send())
  await expect.poll(() => document.activeElement).toBe(screen.getByRole('radio', { name: 'Bring mine' }))
})

test('a form is sent only once while its response is pending', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const submit = vi.fn<(values: Values) => Promise<string>>(() => promise)
  const onSuccess = vi.fn<(answer: unknown) => void>()
  render(<Example submit={submit} onSuccess={onSuccess} />)
  await fillIn()
  await user.type(email(), '{Enter}')
  expect(send().disabled).toBe(true)
  expect(send().textContent).toBe('SENDING')
  await user.type(email(), '{Enter}')
  await act(() => form.submit())
  expect(submit).toHaveBeenCalledExactlyOnceWith({
    email: 'ana@example.nz',
    password: 'secret1',
    confirm: 'secret1',
    port: true,
    consent: false,
  })
  await act(async () => resolve('answer'))
  expect(onSuccess).toHaveBeenCalledExactlyOnceWith('answer')
  expect(form).toMatchObject({ status: 'success', dirty: false, canSubmit: true })
})

test('a form can convert its values before they are sent', async () => {
  const submit = vi.fn<(sent: { mail: string }) => Promise<void>>()
  function Transformed() {
    const form = useForm({
      schema: v.object({ email: v.string() }),
      initial: { email: 'a@b.nz' },
      submit: ({ email }) => submit({ mail: email }),
    })
    return (
      <form {...form.props}>
        <SubmitButton form={form}>SEND</SubmitButton>
      </form>
    )
  }
  render(<Transformed />)
  await user.click(send())
  expect(submit).toHaveBeenCalledExactlyOnceWith({ mail: 'a@b.nz' })
})

test('a form shows its success message briefly', async () => {
  render(<Example successMessage="Saved." />)
  await fillIn()
  vi.useFakeTimers()
  await act(() => form.submit())
  expect(screen.getByRole('status').textContent).toBe('Saved.')
  act(() => void vi.advanceTimersByTime(toastDurationMs - 1))
  expect(screen.getByRole('status').textContent).toBe('Saved.')
  act(() => void vi.advanceTimersByTime(1))
  expect(screen.getByRole('status').textContent).toBe('')
  expect(form.status).toBe('success')
})

test("a form shows each server error once, either at its field or in the form's alert", async () => {
  const linked = {
    message: 'Start over.',
    actions: [
      { url: 'https://help.example', text: 'Help' },
      { url: '/activate/', text: 'Start' },
    ],
  }
  const body = { email: ['Taken.'], adyen_encrypted: ['Check the card.'], __all__: ['Check the card.', linked, linked] }
  render(<Example submit={() => Promise.reject(new ApiError(400, body))} />)
  await fillIn()
  await user.click(send())
  expect(email()).toBeInvalidWith('Taken.')
  await expect.poll(() => document.activeElement).toBe(email())
  const alert = screen.getByRole('alert')
  expect([...alert.querySelectorAll('p')].map((entry) => entry.firstChild?.textContent)).toEqual([
    'Check the card.',
    'Start over.',
  ])
  const help = screen.getByRole('link', { name: 'Help (opens in a new tab)' })
  expect([help.getAttribute('target'), help.getAttribute('rel')]).toEqual(['_blank', 'noopener'])
  expect(screen.getByRole('link', { name: 'Start' }).getAttribute('target')).toBeNull()
  expect(screen.getByRole('form').getAttribute('aria-describedby')).toBe(alert.id)
  expect(send().disabled).toBe(true)
  await user.type(email(), 'x')
  expect(screen.queryByText('Taken.')).toBeNull()
  expect(send().disabled).toBe(false)
})

test.for([
  [new ApiError(429, {}), formMessages.tooMany],
  [new ApiError(503, null), formMessages.server],
  [new ApiError(0, null), formMessages.noAnswer],
] as const)(
  'a form shows the specified message for %o, focuses it and can be sent again',
  async ([failure, sentence]) => {
    const submit = vi.fn<() => Promise<void>>().mockRejectedValueOnce(failure).mockResolvedValueOnce()
    render(<Example submit={submit} />)
    await fillIn()
    await user.click(send())
    expect(screen.getByRole('alert').textContent).toBe(sentence)
    await expect.poll(() => document.activeElement).toBe(screen.getByRole('alert'))
    await user.click(send())
    expect(screen.queryByRole('alert')).toBeNull()
    expect(form.status).toBe('success')
  },
)

test('an exception while a form is being sent is reported, and the form says that there was no response', async () => {
  const reported = vi.fn<(fault: unknown) => void>()
  vi.stubGlobal('reportError', reported)
  const fault = new TypeError('not a function')
  render(<Example submit={() => Promise.reject(fault)} />)
  await fillIn()
  await user.click(send())
  expect(screen.getByRole('alert').textContent).toBe(formMessages.noAnswer)
  expect(reported).toHaveBeenCalledExactlyOnceWith(fault)
})

test('reset restores all initial values, and resetFields restores only the named fields', async () => {
  render(<Example />)
  await fillIn()
  act(() => form.resetFields(['email']))
  expect(email().value).toBe('')
  expect([form.isDirty('email'), form.isDirty('port'), form.dirty]).toEqual([false, true, true])
  await user.click(email())
  await user.tab()
  act(() => form.reset())
  expect(form).toMatchObject({ values: initial, errors: {}, dirty: false, status: 'idle' })
})

test('errors can be set and cleared from outside the form', () => {
  render(<Example />)
  act(() => form.setErrors({ email: ['Used already.'] }))
  expect(email()).toBeInvalidWith('Used already.')
  expect(send().disabled).toBe(true)
  act(() => form.clearErrors('email'))
  expect(form.errors).toEqual({})
})

test('setting a value and submitting immediately sends that value', async () => {
  const submit = vi.fn<(values: Values) => Promise<void>>()
  render(<Example submit={submit} />)
  await fillIn()
  await act(async () => {
    form.set('email', 'new@example.nz')
    await form.submit()
  })
  expect(submit.mock.lastCall?.[0].email).toBe('new@example.nz')
})

test('a server-rendered form cannot be sent until its script has loaded, and keeps what was typed until then', async () => {
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(<Example />)
  expect(container.innerHTML).not.toContain('style=')
  const first = container.querySelector<HTMLButtonElement>('[type="submit"]')
  expect(first?.disabled).toBe(true)
  expect(first?.form?.method).toBe('post')
  email().value = 'ana @example.nz'
  screen.getByLabelText<HTMLInputElement>('Again').value = 'typed'
  screen.getByRole<HTMLInputElement>('radio', { name: 'Take a new one' }).checked = true
  screen.getByRole<HTMLInputElement>('checkbox').checked = true

  const root = await act(async () => hydrateRoot(container, <Example />))
  expect(form.values).toEqual({ email: 'ana@example.nz', password: '', confirm: 'typed', port: false, consent: true })
  expect(form.dirty).toBe(true)
  expect(email().value).toBe('ana@example.nz')
  expect(screen.getByRole<HTMLInputElement>('radio', { name: 'Take a new one' }).checked).toBe(true)
  expect(send().disabled).toBe(false)
  act(() => root.unmount())
  container.remove()
})

test('a draft survives a reload, without passwords and omitted fields', async () => {
  const draft = { draftKey: 'example', draftOmit: ['confirm' as const] }
  const { unmount } = render(<Example {...draft} />)
  await fillIn()
  unmount()
  expect(sessionStorage.getItem('draft:example')).not.toContain('secret1')
  render(<Example {...draft} />)
  expect(form.values).toEqual({ email: 'ana@example.nz', password: '', confirm: '', port: true, consent: false })
})

test('values typed before hydration take precedence over a saved draft, and a successful submission deletes the draft', async () => {
  sessionStorage.setItem(
    'draft:example',
    JSON.stringify({ email: 'draft@example.nz', port: true, password: 'x', unknown: 1, consent: 'yes' }),
  )
  const container = document.body.appendChild(document.createElement('div'))
  container.innerHTML = renderToString(<Example draftKey="example" />)
  email().value = 'typed@example.nz'
  const root = await act(async () => hydrateRoot(container, <Example draftKey="example" />))
  expect(form.values).toEqual({ ...initial, email: 'typed@example.nz', port: true })
  await user.type(screen.getByLabelText('Password'), 'a')
  await user.type(screen.getByLabelText('Again'), 'a')
  await user.click(send())
  await waitFor(() => expect(form.status).toBe('success'))
  expect(sessionStorage.getItem('draft:example')).toBeNull()
  act(() => root.unmount())
  container.remove()
})

test('moving to a different radio button in the same group does not validate the group', async () => {
  render(<Example />)
  const [yes, no] = screen.getAllByRole('radio')
  fireEvent.blur(yes!, { relatedTarget: no })
  expect(form.errors).toEqual({})
  fireEvent.blur(no!, { relatedTarget: email() })
  expect(form.errors).toEqual({ port: ['Choose one.'] })
})

expect.extend({
  toBeInvalidWith(control: HTMLElement, sentence: string) {
    const note = document.getElementById(control.getAttribute('aria-describedby') ?? '')
    const pass = control.getAttribute('aria-invalid') === 'true' && note?.textContent === sentence
    return {
      pass,
      message: () =>
        `expected the field to be told ${JSON.stringify(sentence)}, it is told ${JSON.stringify(note?.textContent)}`,
    }
  },
})

declare module 'vitest' {
  interface Matchers {
    toBeInvalidWith(sentence: string): void
  }
}
