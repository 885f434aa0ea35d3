import { Buffer } from 'node:buffer'
import type { Page } from 'playwright-core'
import { button, reads } from '../account.ts'
import { atDesk, failed } from './desk-ways.ts'
import { approved, asked, checked, complete, dearer, loaded, refusedBatch, unchanged } from './desk-world.ts'
import type { Screen } from './screen.ts'

const load = { at: '/stock/loads/00000000/', path: ({ id }: { id: string }) => `/stock/loads/${id}/` }
const batch = { at: '/stock/batches/00000000/', path: ({ id }: { id: string }) => `/stock/batches/${id}/` }
const draft = { at: '/catalogue/drafts/1/', path: (number: number) => `/catalogue/drafts/${number}/` }

const drawer = (press: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: press }).first().click()
  await page.getByRole('dialog').waitFor()
}

const stock: Screen[] = [
  atDesk('stock', {
    at: '/stock/',
    as: 'admin',
    async make(stage) {
      for (const make of [loaded, checked, complete, asked]) await make(stage)
    },
  }),
  atDesk('stock, as finance sees it', { at: '/stock/', as: 'lead' }),
  atDesk('stock, one not found', {
    at: '/stock/',
    async act(page) {
      await page.getByLabel('Voucher code or ICCID').fill('ABCDEF234567')
      await page.getByRole('form', { name: 'Find a voucher or a SIM pack' }).getByRole('button').click()
      await page
        .getByRole('form', { name: 'Find a voucher or a SIM pack' })
        .getByText(/no |not /i)
        .first()
        .waitFor()
    },
  }),
  failed('stock, failed', '**/api/desk/stock/**', { at: '/stock/' }),
  atDesk('load, a file to choose', { at: '/stock/loads/new/' }),
  atDesk('load, no file', {
    at: '/stock/loads/new/',
    async act(page) {
      await button(page, 'Upload and check').click()
      await page.getByRole('alert').first().waitFor()
    },
  }),
  atDesk('load, checked', { ...load, make: checked }),
  atDesk('load, loaded', { ...load, make: loaded }),
  atDesk('load, a file that is none', {
    at: '/stock/loads/new/',
    async act(page) {
      const buffer = Buffer.from('serial;number\n1;2\n')
      await page.getByLabel('CSV file').setInputFiles({ name: 'packs.csv', mimeType: 'text/csv', buffer })
      await button(page, 'Upload and check').click()
      await reads(page, /^The first line must be/)
    },
  }),
  failed('load, failed', '**/api/desk/stock/loads/**', { ...load, make: checked }),
  atDesk('vouchers, to make', { at: '/stock/batches/new/', as: 'admin' }),
  atDesk('vouchers, with faults', {
    at: '/stock/batches/new/',
    as: 'admin',
    async act(page) {
      await button(page, 'Request approval').click()
      await reads(page, 'Please choose a plan.')
    },
  }),
  atDesk('batch, asked for', { ...batch, as: 'admin', make: asked }),
  atDesk('batch, approved', { ...batch, as: 'admin', make: approved }),
  atDesk('batch, refused', { ...batch, as: 'admin', make: refusedBatch }),
  atDesk('batch, complete', { ...batch, as: 'admin', make: complete }),
  atDesk('batch, to take back', { ...batch, as: 'admin', make: complete, act: drawer('Void batch') }),
  failed('batch, failed', '**/api/desk/stock/batches/**', { ...batch, as: 'admin', make: complete }),
]

const catalogue: Screen[] = [
  atDesk('catalogue', { at: '/catalogue/', as: 'admin', make: dearer }),
  atDesk('catalogue, as finance sees it', { at: '/catalogue/', as: 'lead', make: dearer }),
  atDesk('catalogue, a file to choose', { at: '/catalogue/', as: 'admin', act: drawer('New draft') }),
  atDesk('catalogue, a file with faults', {
    at: '/catalogue/',
    as: 'admin',
    async act(page) {
      await drawer('New draft')(page)
      const buffer = Buffer.from('{"plans": [{}], "add_ons": 1}')
      await page.getByLabel(/^Catalogue file/).setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer })
      await button(page, 'Check and save').click()
      await reads(page, 'plans.0.unique_id: is missing.')
    },
  }),
  failed('catalogue, failed', '**/api/desk/catalogue/', { at: '/catalogue/', as: 'admin' }),
  atDesk('draft', { ...draft, as: 'admin', make: dearer }),
  atDesk('draft, as finance sees it', { ...draft, as: 'lead', make: dearer }),
  atDesk('draft, to publish', { ...draft, as: 'admin', make: dearer, act: drawer('Publish') }),
  atDesk('draft, nothing changed', { ...draft, as: 'admin', make: unchanged }),
  failed('draft, failed', '**/api/desk/catalogue/drafts/**', { ...draft, as: 'admin', make: dearer }),
  atDesk('version', { at: '/catalogue/versions/1/', as: 'admin' }),
  failed('version, failed', '**/api/desk/catalogue/versions/**', { at: '/catalogue/versions/1/', as: 'admin' }),
]

export const stockScreens: Screen[] = [...stock, ...catalogue]
