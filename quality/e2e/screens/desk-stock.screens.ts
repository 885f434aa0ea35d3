import { Buffer } from 'node:buffer'
import type { Page } from 'playwright-core'
import { getButton, reads } from '../account.ts'
import { deskScreen, failedDeskScreen } from './desk-screen.ts'
import {
  approvedBatch,
  asked,
  checkedSimFile,
  completedBatch,
  priceRiseDraft,
  loadedSimFile,
  refusedBatch,
  unchangedDraft,
} from './desk-world.ts'
import type { Screen } from './screen.ts'

const load = { at: '/stock/loads/00000000/', path: ({ id }: { id: string }) => `/stock/loads/${id}/` }
const batch = { at: '/stock/batches/00000000/', path: ({ id }: { id: string }) => `/stock/batches/${id}/` }
const draft = { at: '/catalogue/drafts/1/', path: (number: number) => `/catalogue/drafts/${number}/` }

const drawer = (press: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name: press }).first().click()
  await page.getByRole('dialog').waitFor()
}

const stock: Screen[] = [
  deskScreen('stock', {
    at: '/stock/',
    as: 'admin',
    async make(stage) {
      for (const make of [loadedSimFile, checkedSimFile, completedBatch, asked]) await make(stage)
    },
  }),
  deskScreen('stock, as finance sees it', { at: '/stock/', as: 'lead' }),
  deskScreen('stock, one not found', {
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
  failedDeskScreen('stock, failed', '**/api/desk/stock/**', { at: '/stock/' }),
  deskScreen('load, a file to choose', { at: '/stock/loads/new/' }),
  deskScreen('load, no file', {
    at: '/stock/loads/new/',
    async act(page) {
      await getButton(page, 'Upload and check').click()
      await page.getByRole('alert').first().waitFor()
    },
  }),
  deskScreen('load, checked', { ...load, make: checkedSimFile }),
  deskScreen('load, loaded', { ...load, make: loadedSimFile }),
  deskScreen('load, a file that is none', {
    at: '/stock/loads/new/',
    async act(page) {
      const buffer = Buffer.from('serial;number\n1;2\n')
      await page.getByLabel('CSV file').setInputFiles({ name: 'packs.csv', mimeType: 'text/csv', buffer })
      await getButton(page, 'Upload and check').click()
      await reads(page, /^The first line must be/)
    },
  }),
  failedDeskScreen('load, failed', '**/api/desk/stock/loads/**', { ...load, make: checkedSimFile }),
  deskScreen('vouchers, to make', { at: '/stock/batches/new/', as: 'admin' }),
  deskScreen('vouchers, with faults', {
    at: '/stock/batches/new/',
    as: 'admin',
    async act(page) {
      await getButton(page, 'Request approval').click()
      await reads(page, 'Please choose a plan.')
    },
  }),
  deskScreen('batch, asked for', { ...batch, as: 'admin', make: asked }),
  deskScreen('batch, approved', { ...batch, as: 'admin', make: approvedBatch }),
  deskScreen('batch, refused', { ...batch, as: 'admin', make: refusedBatch }),
  deskScreen('batch, complete', { ...batch, as: 'admin', make: completedBatch }),
  deskScreen('batch, to take back', { ...batch, as: 'admin', make: completedBatch, act: drawer('Void batch') }),
  failedDeskScreen('batch, failed', '**/api/desk/stock/batches/**', { ...batch, as: 'admin', make: completedBatch }),
]

const catalogue: Screen[] = [
  deskScreen('catalogue', { at: '/catalogue/', as: 'admin', make: priceRiseDraft }),
  deskScreen('catalogue, as finance sees it', { at: '/catalogue/', as: 'lead', make: priceRiseDraft }),
  deskScreen('catalogue, a file to choose', { at: '/catalogue/', as: 'admin', act: drawer('New draft') }),
  deskScreen('catalogue, a file with faults', {
    at: '/catalogue/',
    as: 'admin',
    async act(page) {
      await drawer('New draft')(page)
      const buffer = Buffer.from('{"plans": [{}], "add_ons": 1}')
      await page.getByLabel(/^Catalogue file/).setInputFiles({ name: 'a.json', mimeType: 'application/json', buffer })
      await getButton(page, 'Check and save').click()
      await reads(page, 'line 1: plans.0.unique_id: is missing.')
    },
  }),
  failedDeskScreen('catalogue, failed', '**/api/desk/catalogue/', { at: '/catalogue/', as: 'admin' }),
  deskScreen('draft', { ...draft, as: 'admin', make: priceRiseDraft }),
  deskScreen('draft, as finance sees it', { ...draft, as: 'lead', make: priceRiseDraft }),
  deskScreen('draft, to publish', { ...draft, as: 'admin', make: priceRiseDraft, act: drawer('Publish') }),
  deskScreen('draft, nothing changed', { ...draft, as: 'admin', make: unchangedDraft }),
  failedDeskScreen('draft, failed', '**/api/desk/catalogue/drafts/**', { ...draft, as: 'admin', make: priceRiseDraft }),
  deskScreen('version', { at: '/catalogue/versions/1/', as: 'admin' }),
  failedDeskScreen('version, failed', '**/api/desk/catalogue/versions/**', {
    at: '/catalogue/versions/1/',
    as: 'admin',
  }),
]

export const stockScreens: Screen[] = [...stock, ...catalogue]
