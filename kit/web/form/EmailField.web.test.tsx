import { render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { renderToString } from 'react-dom/server'
import * as v from 'valibot'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { requiredNewEmail } from '#kit/contract/new-email.ts'
import { EmailField } from './EmailField.tsx'
import { PasswordField } from './PasswordField.tsx'
import { SubmitButton } from './SubmitButton.tsx'
import { useEmailQuestion } from './use-email-question.ts'
import { useForm } from './use-form.ts'

type Submit = (values: { email: string; password: string }) => Promise<void>

function Example({ submit, first = '', isOff = false }: { submit: Submit; first?: string; isOff?: boolean }) {
  const form = useForm({
    schema: v.object({ email: requiredNewEmail(), password: v.string() }),
    initial: { email: first, password: '' },
    submit,
  })
  const question = useEmailQuestion(form, 'email')
  return (
    <form {...form.props} onSubmit={question.onSubmit}>
      <EmailField form={form} name="email" label="Email" hint="We write to it" question={question} />
      <PasswordField form={form} name="password" label="Password" />
      <SubmitButton form={form} disabled={isOff}>
        SEND
      </SubmitButton>
    </form>
  )
}

const user = userEvent.setup()
const email = () => screen.getByRole<HTMLInputElement>('textbox', { name: 'Email' })
const send = () => screen.getByRole('button', { name: 'SEND' })
const answer = (name: 'Yes' | 'No') => screen.getByRole('button', { name })
const status = () => screen.getAllByRole('status')[0]?.textContent
const question = (address: string) => screen.findByRole('group', { name: `Did you mean ${address}?` })
const isAsked = () => screen.queryByRole('group') !== null

// An address that was confirmed in one test is not questioned in the next, so each test uses its own.
let count = 0
const newName = () => `ana${(count += 1)}`

function open(props: Partial<Parameters<typeof Example>[0]> = {}) {
  const submit = vi.fn<Submit>(async () => {})
  const view = render(<Example submit={submit} {...props} />)
  return {
    submit,
    ...view,
    rerender: (more: object) => view.rerender(<Example submit={submit} {...props} {...more} />),
  }
}

beforeEach(() => sessionStorage.clear())

describe('the question about a mistyped domain', () => {
  test('appears when the person leaves the field, is announced, and does not move the focus', async () => {
    open()
    const name = newName()
    await user.type(email(), `${name}@gmial.com`)
    expect(isAsked()).toBe(false)
    expect(screen.getByText('We write to it')).toBeTruthy()
    const announcer = screen.getAllByRole('status')[0]
    await user.tab()
    await question(`${name}@gmail.com`)
    expect(screen.getAllByRole('status')[0]).toBe(announcer)
    expect(status()).toBe(`Did you mean ${name}@gmail.com?`)
    expect(screen.queryByText('We write to it')).toBeNull()
    expect(document.activeElement).toBe(screen.getByLabelText('Password'))
  })

  test('“Yes” puts the suggestion into the field, and keeps the focus of a person who uses a pointer', async () => {
    const { submit } = open()
    const name = newName()
    await user.type(email(), `${name}@gmial.com`)
    await user.click(screen.getByLabelText('Password'))
    await question(`${name}@gmail.com`)
    await user.click(answer('Yes'))
    expect(email().value).toBe(`${name}@gmail.com`)
    expect(status()).toBe(`We’ll use ${name}@gmail.com.`)
    expect(document.activeElement).toBe(screen.getByLabelText('Password'))
    expect([isAsked(), submit.mock.calls]).toEqual([false, []])
    await user.click(send())
    await expect.poll(() => submit.mock.lastCall?.[0].email).toBe(`${name}@gmail.com`)
  })

  test('can be answered by keyboard, and the focus then returns to the field', async () => {
    open()
    const name = newName()
    await user.type(email(), `${name}@gmial.com`)
    await user.tab()
    await question(`${name}@gmail.com`)
    await user.tab({ shift: true })
    expect(document.activeElement).toBe(answer('No'))
    await user.tab({ shift: true })
    await user.keyboard('{Enter}')
    expect([email().value, document.activeElement]).toEqual([`${name}@gmail.com`, email()])
  })

  test('“No” keeps the address, and the person is never asked about it again, even after a reload', async () => {
    const { submit, unmount } = open()
    const name = newName()
    const typed = `${name}@gmial.com`
    await user.type(email(), typed)
    await user.tab()
    await question(`${name}@gmail.com`)
    await user.click(answer('No'))
    expect([email().value, status()]).toEqual([typed, `We’ll use ${typed}.`])
    await user.click(email())
    await user.tab()
    await user.clear(email())
    await user.type(email(), typed.toUpperCase())
    await user.click(send())
    await expect.poll(() => submit.mock.calls).toHaveLength(1)
    unmount()
    expect(sessionStorage.getItem('draft:confirmed-emails')).toContain(typed)
  })

  test('works without storage', async () => {
    vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
      throw new Error('The storage is blocked.')
    })
    const { submit } = open()
    const typed = `${newName()}@gmial.com`
    await user.type(email(), `${typed}{Enter}`)
    await screen.findByRole('group')
    await user.click(answer('No'))
    await expect.poll(() => submit.mock.lastCall?.[0].email).toBe(typed)
  })

  test('disappears when the address changes', async () => {
    open()
    const name = newName()
    await user.type(email(), `${name}@gmial.com`)
    await user.tab()
    await question(`${name}@gmail.com`)
    await user.type(email(), 'x')
    expect([isAsked(), status()]).toEqual([false, ''])
  })

  test('keeps the part before the @ sign as typed', async () => {
    open()
    const name = newName()
    await user.click(email())
    await user.paste(`\u202dO'Brien+${name}@GMIAL.com\u202c`)
    await user.tab()
    await question(`O'Brien+${name}@gmail.com`)
    await user.click(answer('Yes'))
    expect(email().value).toBe(`O'Brien+${name}@gmail.com`)
  })

  test.each(['', 'ana', 'ana@gmail', 'ana@gmial..com', 'ana@example.nz', 'ana@gmail.com'])(
    'is not asked about %j',
    async (typed) => {
      const { submit } = open()
      if (typed) await user.type(email(), typed)
      await user.click(send())
      await expect
        .poll(() => submit.mock.calls.length > 0 || email().getAttribute('aria-invalid') === 'true')
        .toBe(true)
      expect(isAsked()).toBe(false)
    },
  )
})

describe('the question before a form is submitted', () => {
  test.each([
    ['Yes', 'gmail.com'],
    ['No', 'gmial.com'],
  ] as const)('gets the focus, and “%s” submits the form', async (name, domain) => {
    const { submit } = open()
    const local = newName()
    await user.type(email(), `${local}@gmial.com{Enter}`)
    await question(`${local}@gmail.com`)
    expect(document.activeElement).toBe(answer('Yes'))
    expect(submit).not.toHaveBeenCalled()
    await user.click(answer(name))
    await expect.poll(() => submit.mock.lastCall?.[0].email).toBe(`${local}@${domain}`)
    expect(submit.mock.calls).toHaveLength(1)
  })

  test('pressing the submit button while the question is open moves the focus to the question and sends nothing', async () => {
    const { submit } = open()
    const local = newName()
    await user.type(email(), `${local}@gmial.com`)
    await user.tab()
    await question(`${local}@gmail.com`)
    await user.click(send())
    expect([document.activeElement, submit.mock.calls]).toEqual([answer('Yes'), []])
    await user.click(answer('No'))
    await expect.poll(() => submit.mock.calls).toHaveLength(1)
  })

  test('an answer does not submit a form whose submit button has been disabled meanwhile', async () => {
    const { submit, rerender } = open()
    const local = newName()
    await user.type(email(), `${local}@gmial.com{Enter}`)
    await question(`${local}@gmail.com`)
    rerender({ isOff: true })
    await user.click(answer('Yes'))
    expect([email().value, submit.mock.calls]).toEqual([`${local}@gmail.com`, []])
  })

  test('an address that the server has accepted before is submitted without a question', async () => {
    const first = `${newName()}@gmial.com`
    const { submit } = open({ first })
    await user.click(send())
    await expect.poll(() => submit.mock.lastCall?.[0].email).toBe(first)
    expect(isAsked()).toBe(false)
  })
})

test('the field is part of a page that the server renders, without the question', () => {
  const html = renderToString(<Example submit={async () => {}} first="ana@gmial.com" />)
  expect(html).toContain('We write to it')
  expect(html).toContain('role="status"')
  expect(html).not.toContain('Did you mean')
})
