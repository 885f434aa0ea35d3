import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { getField, openForm } from './account.ts'
import { autofill } from './enter-text.ts'
import { usePortal } from './use-portal.ts'
import { wizard } from './wizard.ts'

const portal = usePortal()

const openCheckout = async (): Promise<Page> =>
  openForm(portal, '/activate/checkout/', await advanceWizardTo(portal.world(), 'PAYMENT'))

describe('a card form that a password manager fills in', () => {
  const values = { number: '4111111111111111', name: 'Ana Rewi', expiry: '2030-03', code: '737' }
  const complete = { number: '4111 1111 1111 1111', name: 'Ana Rewi', expiry: '03 / 30', code: '737' }
  type Part = keyof typeof values

  const labels = { number: 'Card number', name: 'Name on card', expiry: 'Expiry', code: 'Security code' }
  const parts = Object.keys(labels) as Part[]
  async function readCard(page: Page): Promise<Record<string, string>> {
    const texts = parts.map(async (part) => [part, await getField(page, labels[part]).inputValue()] as const)
    return Object.fromEntries(await Promise.all(texts))
  }
  async function fillCard(page: Page, order: readonly Part[], changed: Partial<typeof values> = {}): Promise<void> {
    for (const part of order) await autofill(getField(page, labels[part]), changed[part] ?? values[part])
  }

  test.each([
    ['2030-03', ['number', 'name', 'expiry', 'code']],
    ['2030/03', ['name', 'number', 'expiry', 'code']],
    ['03/2030', ['expiry', 'code', 'name', 'number']],
  ] as const)(
    'the payment succeeds with the expiry date %s, if the fields are filled in this order: %j',
    async (expiry, order) => {
      const page = await openCheckout()
      await fillCard(page, order, { expiry })
      expect(await readCard(page)).toEqual(complete)
      await wizard.activate(page)
      await wizard.success(page)
    },
  )

  test('filling in a partial card number, or the same number again, clears no other field', async () => {
    const page = await openCheckout()
    await fillCard(page, ['name', 'expiry', 'code'])
    await getField(page, labels.number).pressSequentially('5100 00')
    await autofill(getField(page, labels.number), values.number)
    await autofill(getField(page, labels.number), '4111-1111-1111-1111')
    expect(await readCard(page)).toEqual(complete)
  })

  test('filling in another card’s number clears the name, expiry date and security code, but only if there is a name', async () => {
    const page = await openCheckout()
    await fillCard(page, parts)
    await autofill(getField(page, labels.number), '5555444433331111')
    expect(await readCard(page)).toEqual({ number: '5555 4444 3333 1111', name: '', expiry: '', code: '' })
    await fillCard(page, ['name', 'expiry', 'code'], { name: 'Mere Rewi', expiry: '2031/11', code: '123' })
    const mere = { number: '5555 4444 3333 1111', name: 'Mere Rewi', expiry: '11 / 31', code: '123' }
    expect(await readCard(page)).toEqual(mere)
    await autofill(getField(page, labels.name), '')
    await autofill(getField(page, labels.number), values.number)
    expect(await readCard(page)).toEqual({ ...mere, number: complete.number, name: '' })
  })
})
