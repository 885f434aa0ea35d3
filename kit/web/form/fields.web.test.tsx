import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import * as v from 'valibot'
import { expect, test } from 'vitest'
import { PasswordField } from './PasswordField.tsx'
import { PinInput } from './PinInput.tsx'
import { SelectField } from './SelectField.tsx'
import { SubmitButton } from './SubmitButton.tsx'
import { TextField } from './TextField.tsx'
import type { Form } from './form.ts'
import { useForm } from './use-form.ts'

const initial = { text: '', pin: '', password: '', provider: '' }
type Values = typeof initial

const user = userEvent.setup()
const box = (name: string) => screen.getByLabelText<HTMLInputElement>(name)
const inPairs = (text: string) => text.replaceAll(' ', '').replace(/(..)(?=.)/g, '$1 ')

function show(fields: (form: Form<Values>) => React.ReactNode) {
  function Example() {
    const form = useForm({ schema: v.object({}), initial, submit: async () => {} })
    return (
      <form {...form.props}>
        {fields(form)}
        <SubmitButton form={form}>SEND</SubmitButton>
      </form>
    )
  }
  render(<Example />)
}

test('a text field drops characters that are not allowed, even from pasted text', async () => {
  show((form) => <TextField form={form} name="text" label="Phone" allow={/[\d+ ()-]/} maxLength={20} />)
  await user.click(box('Phone'))
  await user.keyboard('+64 x21')
  expect(box('Phone').value).toBe('+64 21')
  await user.clear(box('Phone'))
  await user.paste('tel:+64 (21) 555-0142 ext')
  expect(box('Phone').value).toBe('+64 (21) 555-0142 ')
})

test('a text field removes disallowed characters before truncating the text to its maximum length', async () => {
  show((form) => <TextField form={form} name="text" label="Code" allow={/[a-z0-9]/i} maxLength={12} uppercase />)
  await user.click(box('Code'))
  await user.paste('abcd-efgh-ijkl-mnop')
  expect(box('Code').value).toBe('ABCDEFGHIJKL')
})

test('a filtered field keeps as many code points as its maximum length, so no emoji is cut in half', async () => {
  show((form) => <TextField form={form} name="text" label="Code" uppercase maxLength={3} />)
  await user.click(box('Code'))
  await user.paste('\u{1f41a}\u{1f41a}\u{1f41a}\u{1f41a}')
  expect(box('Code').value).toBe('\u{1f41a}\u{1f41a}\u{1f41a}')
})

test('a field without a filter never cuts its text', async () => {
  show((form) => <TextField form={form} name="text" label="Name" maxLength={3} />)
  await user.click(box('Name'))
  await user.paste('\u202dAna\u202c Rewi')
  expect(box('Name').value).toBe('\u202dAna\u202c Rewi')
})

test('a field that allows only digits accepts full-width digits and numbers wrapped in direction marks', async () => {
  show((form) => <PinInput form={form} name="pin" label="PIN" />)
  await user.click(box('PIN'))
  await user.paste('\u202d\uff11\uff12\uff134\u202c')
  expect(box('PIN').value).toBe('1234')
})

test('a field leaves its text alone while an input method composes it, and filters it afterwards', () => {
  show((form) => <TextField form={form} name="text" label="Code" allow={/[a-z0-9]/i} maxLength={12} uppercase />)
  for (const value of ['a', 'ab', 'abc', 'abc1']) {
    fireEvent.input(box('Code'), { target: { value }, isComposing: true })
    expect(box('Code').value).toBe(value)
  }
  fireEvent.compositionEnd(box('Code'))
  expect(box('Code').value).toBe('ABC1')
})

test('the hint of a text field describes it', () => {
  show((form) => <TextField form={form} name="text" label="Name" hint="As on your licence" />)
  expect(screen.getByText('As on your licence').parentElement?.id).toBe(box('Name').getAttribute('aria-describedby'))
})

test('the cursor keeps its place when the field reformats its text', () => {
  show((form) => <TextField form={form} name="text" label="Number" format={inPairs} />)
  fireEvent.change(box('Number'), { target: { value: '123456' } })
  expect(box('Number').value).toBe('12 34 56')
  fireEvent.change(box('Number'), { target: { value: '129 34 56', selectionStart: 3, selectionEnd: 3 } })
  expect(box('Number').value).toBe('12 93 45 6')
  expect(box('Number').selectionStart).toBe('12 9'.length)
})

test('a field without a name cannot be submitted by the browser', () => {
  show((form) => <TextField form={form} name="text" label="Card" noName />)
  expect(box('Card').hasAttribute('name')).toBe(false)
  expect(box('Card').dataset['field']).toBe('text')
})

test('a password can be shown and hidden without the field losing focus', async () => {
  show((form) => <PasswordField form={form} name="password" label="Password" autoComplete="new-password" />)
  await user.type(box('Password'), 'secret')
  expect([box('Password').type, box('Password').autocomplete]).toEqual(['password', 'new-password'])
  await user.click(screen.getByRole('button', { name: 'Show password' }))
  expect(box('Password').type).toBe('text')
  await expect.poll(() => document.activeElement).toBe(box('Password'))
  await user.click(screen.getByRole('button', { name: 'Hide password' }))
  expect(box('Password').type).toBe('password')
})

test('a PIN field accepts only digits, four by default', async () => {
  show((form) => (
    <>
      <PinInput form={form} name="pin" label="Last 4 digits" />
      <PinInput form={form} name="text" label="One-time PIN" length={6} />
    </>
  ))
  await user.type(box('Last 4 digits'), 'a1b2-3456')
  await user.type(box('One-time PIN'), '12 34 56 78')
  expect([box('Last 4 digits').value, box('One-time PIN').value]).toEqual(['1234', '123456'])
  expect(box('Last 4 digits').inputMode).toBe('numeric')
})

test('a select field starts without a value and takes the option that the customer selects', async () => {
  show((form) => (
    <SelectField
      form={form}
      name="provider"
      label="Provider"
      placeholder="Choose one"
      options={[{ value: 'a', label: 'Skinny' }]}
    />
  ))
  expect(screen.getByRole<HTMLSelectElement>('combobox', { name: 'Provider' }).value).toBe('')
  await user.selectOptions(screen.getByRole('combobox'), 'Skinny')
  expect(screen.getByRole<HTMLSelectElement>('combobox').value).toBe('a')
})
