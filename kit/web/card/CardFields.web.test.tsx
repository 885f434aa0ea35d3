import { fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { renderToString } from 'react-dom/server'
import { expect, test } from 'vitest'
import { cardFormSchema, cardMessages } from '#kit/contract/card.contract.ts'
import { cardTypes } from '#kit/contract/card-types.ts'
import { FormErrors } from '../form/FormErrors.tsx'
import { SubmitButton } from '../form/SubmitButton.tsx'
import { useForm } from '../form/use-form.ts'
import { CardFields } from './CardFields.tsx'

const initial = {
  'credit-card-number': '',
  'credit-card-name': '',
  'credit-card-expiry': '',
  'credit-card-cvc': '',
  save_token: false,
}
const schema = cardFormSchema({ year: 2026, month: 11 }, cardTypes)

function Example() {
  const form = useForm({ schema, initial, submit: async () => {}, draftKey: 'card' })
  return (
    <form {...form.props}>
      <FormErrors form={form} />
      <CardFields form={form} />
      <SubmitButton form={form}>PAY</SubmitButton>
    </form>
  )
}

const user = userEvent.setup()
const labels = ['Card number', 'Name on card', 'Expiry', 'Security code']
const box = (label: string) => screen.getByRole<HTMLInputElement>('textbox', { name: label })
const texts = () => labels.map((label) => box(label).value)

async function fillIn() {
  await user.type(box('Card number'), '4111111111111111')
  await user.type(box('Name on card'), 'Ana Rewi')
  await user.type(box('Expiry'), '330')
  await user.type(box('Security code'), '7a37')
}

test('formats the card number and expiry date as they are typed, the way they appear on a card', async () => {
  render(<Example />)
  await fillIn()
  expect(texts()).toEqual(['4111 1111 1111 1111', 'Ana Rewi', '03 / 30', '737'])
})

test("shows the card's type and where to find its security code", async () => {
  render(<Example />)
  expect(screen.queryByRole('img')).toBeNull()
  expect(screen.getByText('The CSC: 3 digits on the back of the card')).toBeDefined()
  await user.type(box('Card number'), '370000000000002')
  expect(screen.getByRole('img', { name: 'American Express' })).toBeDefined()
  expect(box('Card number').value).toBe('3700 000000 00002')
  expect(screen.getByText('The CSC: 4 digits on the front of the card')).toBeDefined()
  await user.clear(box('Card number'))
  await user.type(box('Card number'), '5555')
  expect(screen.getByRole('img', { name: 'Mastercard' })).toBeDefined()
})

test('changing the card number clears the other card fields', async () => {
  render(<Example />)
  await fillIn()
  await user.type(box('Card number'), '{Backspace}')
  expect(texts()).toEqual(['4111 1111 1111 111', '', '', ''])
})

test('completing or filling in a partial card number clears nothing, and neither does filling in the same number again', async () => {
  render(<Example />)
  await user.type(box('Card number'), '4111')
  await user.type(box('Name on card'), 'Ana Rewi')
  await user.type(box('Expiry'), '330')
  await user.type(box('Card number'), '111111111111')
  expect(texts()).toEqual(['4111 1111 1111 1111', 'Ana Rewi', '03 / 30', ''])
  fireEvent.change(box('Card number'), { target: { value: '4111-1111-1111-1111' } })
  expect(texts()).toEqual(['4111 1111 1111 1111', 'Ana Rewi', '03 / 30', ''])
})

test('typing a card number whose first 13 digits would be a card number, too, clears nothing', async () => {
  render(<Example />)
  await user.type(box('Name on card'), 'Ana Rewi')
  await user.type(box('Expiry'), '330')
  await user.type(box('Card number'), '4222222222222006')
  expect(texts()).toEqual(['4222 2222 2222 2006', 'Ana Rewi', '03 / 30', ''])
})

test.each(['2030-03', '2030/03', '03/2030'])(
  'accepts the expiry date %s, as a password manager fills it in',
  (expiry) => {
    render(<Example />)
    fireEvent.change(box('Expiry'), { target: { value: expiry } })
    expect(box('Expiry').value).toBe('03 / 30')
  },
)

test('typing a card number after the name does not clear the name', async () => {
  render(<Example />)
  await user.type(box('Name on card'), 'Ana Rewi')
  await user.type(box('Card number'), '4111111111111111')
  expect(texts()).toEqual(['4111 1111 1111 1111', 'Ana Rewi', '', ''])
})

test('changing the card number does not clear the expiry date if no name has been typed', async () => {
  render(<Example />)
  await user.type(box('Card number'), '4111')
  await user.type(box('Expiry'), '1130')
  await user.type(box('Card number'), '5')
  expect(texts()).toEqual(['4111 5', '', '11 / 30', ''])
})

test('each card field shows its own error', async () => {
  render(<Example />)
  await user.type(box('Card number'), '4111111111111112')
  await user.click(box('Name on card'))
  await user.type(box('Expiry'), '1026')
  await user.type(box('Security code'), '12')
  await user.tab()
  for (const message of [cardMessages.number, 'This field is required.', cardMessages.expiry, cardMessages.cvc]) {
    expect(screen.getByText(message)).toBeDefined()
  }
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'PAY' }).disabled).toBe(true)
})

test('card fields have no name attribute and are not saved as a draft, but the browser can autofill them', async () => {
  expect(renderToString(<Example />)).not.toMatch(/ name="credit-card/)
  render(<Example />)
  await fillIn()
  expect(labels.map((label) => [box(label).name, box(label).dataset['field'], box(label).autocomplete])).toEqual([
    ['', 'credit-card-number', 'cc-number'],
    ['', 'credit-card-name', 'cc-name'],
    ['', 'credit-card-expiry', 'cc-exp'],
    ['', 'credit-card-cvc', 'cc-csc'],
  ])
  expect(sessionStorage.getItem('draft:card')).toBe('{"save_token":false}')
})
