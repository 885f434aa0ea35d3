import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { signedInAccount } from '#quality/support/account.ts'
import { createFakeApi, openPortal } from '#quality/support/open-portal.tsx'
import type { NumberRow } from '../invoices.contract.ts'
import { invoicePages } from './invoices.pages.ts'

const numbers: NumberRow[] = [
  { uuid: 'a', phone_number: '021 555 0142', name: null, released: null },
  { uuid: 'b', phone_number: '027 555 0199', name: null, released: '2026-11-20T11:00:00.000Z' },
]

async function open(answer: NumberRow[]) {
  await openPortal(
    invoicePages,
    '/account/purchases/',
    createFakeApi({
      'GET /api/account/': signedInAccount(),
      'GET /api/account/numbers/': answer,
      'GET /api/services/': {},
      'GET /api/account/invoices/b/': [],
    }),
  )
  await screen.findByRole('heading', { level: 1, name: 'Purchases' })
}

test('each of the customer’s numbers links to its purchases, even if the number has been released', async () => {
  await open(numbers)
  const rows = within(screen.getByRole('table')).getAllByRole('row').slice(1)
  expect(rows.map((row) => [row.textContent, within(row).getByRole('link').getAttribute('href')])).toEqual([
    ['021 555 0142VIEW PURCHASES', '/services/a/invoices/'],
    ['027 555 0199Number released on 21 Nov 2026VIEW PURCHASES', '/services/b/invoices/'],
  ])
  await userEvent.click(within(rows[1]!).getByRole('link'))
  expect(await screen.findByRole('heading', { level: 1, name: 'Purchase History' })).toBeDefined()
})

test('the account menu links to the purchases page and marks it as the current page', async () => {
  await open(numbers)
  const link = within(screen.getByRole('navigation', { name: 'Account' })).getByRole('link', { name: 'Purchases' })
  expect(link.getAttribute('aria-current')).toBe('page')
})

test('tells a customer who has never had a number that they have not bought anything yet', async () => {
  await open([])
  expect(screen.getByText('You haven’t bought anything yet.')).toBeDefined()
  expect(screen.queryByRole('table')).toBeNull()
})
