import { screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { expect, test } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import type { Role } from '#desk/features/staff/staff.contract.ts'
import { passkeyMessages } from '#desk/features/staff/web/me.passkey.ts'
import { testStaff, meAs, openDeskPage } from '#quality/support/desk-page.tsx'
import type { Reply } from '#quality/support/open-portal.tsx'
import { catalogueMessages, type DeskCatalogue, type DraftPage, type VersionPage } from '../catalogue.contract.ts'

const user = userEvent.setup()
const hash = 'a'.repeat(64)

const version: VersionPage['version'] = {
  number: 4,
  from: '2026-11-30T11:00:00Z',
  made: '2026-11-24T03:03:08Z',
  by: 'Jo Tan',
  approved_by: 'Mere Ngata',
  why: 'New prices',
  state: 'to come',
}
const catalogue: DeskCatalogue = {
  products: [
    {
      unique_id: 'plan-30-5gb',
      title: '5 GB Prepay Plan',
      kind: 'plan',
      days: 30,
      price: '22.00',
      price_rebill: '21.00',
      data_gb: 5,
      is_hidden: false,
      is_for_sale: true,
    },
    {
      unique_id: 'plan-30-10gb',
      title: '10 GB Prepay Plan',
      kind: 'plan',
      days: 30,
      price: '29.00',
      price_rebill: null,
      data_gb: 10,
      is_hidden: true,
      is_for_sale: false,
    },
  ],
  versions: [version, { ...version, number: 3, state: 'for sale', approved_by: null, why: '' }],
  drafts: [{ number: 2, source: 'summer.json', by: 'Jo Tan', made: '2026-11-24T03:03:08Z' }],
  folder: { changes: 0, faults: [] },
}
const draft: DraftPage = {
  draft: { number: 2, source: 'summer.json', by: 'Jo Tan', made: '2026-11-24T03:03:08Z', hash, published_as: null },
  changes: [
    {
      kind: 'changed',
      unique_id: 'plan-30-5gb',
      title: '5 GB Prepay Plan',
      fields: [{ field: 'price', from: '22.00', to: '24.00' }],
      before: { renewing: 12, told: 3 },
      after: { renewing: 12, told: 3 },
    },
  ],
  worse: ['5 GB Prepay Plan: price $22.00 → $24.00'],
  better: [],
  waiting: [],
  next_month: '2026-12-01T00:00',
  asked: null,
  deciders: ['Mere Ngata'],
}

const open = (path: string, replies: Record<string, Reply>, roles: Role[] = ['admin']) =>
  openDeskPage(path, { 'GET /api/desk/me/': meAs(testStaff({ roles })), ...replies })
const openCatalogue = (change: Partial<DeskCatalogue> = {}, replies: Record<string, Reply> = {}, roles?: Role[]) =>
  open('/catalogue/', { 'GET /api/desk/catalogue/': { ...catalogue, ...change }, ...replies }, roles)
const openDraft = (change: Partial<DraftPage> = {}, replies: Record<string, Reply> = {}, roles?: Role[]) =>
  open('/catalogue/drafts/2/', { 'GET /api/desk/catalogue/drafts/2/': { ...draft, ...change }, ...replies }, roles)
const ofDemo = { 'GET /api/desk/me/': meAs(testStaff({ roles: ['admin'], passkeys: 0 })) }
const file = (text: string, name = 'summer.json') => new File([text], name, { type: 'application/json' })
const tableOf = (name: string) => within(screen.getByRole('table', { name }))

test('the catalogue page shows the products on sale, the versions, the drafts and the state of the catalogue folder', async () => {
  await openCatalogue()
  expect(await screen.findByRole('heading', { level: 1, name: 'Catalogue' })).toBeTruthy()
  expect(
    tableOf('Versions').getByRole('row', { name: /^4 Scheduled 1 Dec 2026, 00:00 Jo Tan Mere Ngata/ }),
  ).toBeTruthy()
  expect(
    tableOf('On sale now').getByRole('row', { name: /^5 GB Prepay Plan.*\$22.00 \$21.00 5 GB On sale$/ }),
  ).toBeTruthy()
  expect(tableOf('On sale now').getByRole('row', { name: /^10 GB Prepay Plan.*Hidden$/ })).toBeTruthy()
  expect(screen.getByText('1 of 2 products')).toBeTruthy()
  expect(screen.getByText('The folder’s catalogue is the same as the one on sale.')).toBeTruthy()
  expect(screen.getByRole('link', { name: 'Draft 2' }).getAttribute('href')).toBe('/catalogue/drafts/2/')
  const download = screen.getByRole('link', { name: 'Download current catalogue' })
  expect([download.getAttribute('href'), download.getAttribute('download')]).toEqual([
    '/api/desk/catalogue/versions/3/file/',
    'catalogue-3.json',
  ])
})

test('a catalogue of 1,000 products shows the first 50, and can be searched and filtered by type', async () => {
  const products = Array.from({ length: 1_000 }, (_, index) => ({
    ...catalogue.products[0]!,
    unique_id: `product-${index}`,
    title: `Kōwhai ${index}`,
    kind: index < 600 ? ('plan' as const) : ('add-on' as const),
  }))
  await openCatalogue({ products })
  const field = await screen.findByRole('searchbox', { name: 'Search products' })
  const shownCount = () => tableOf('On sale now').queryAllByRole('rowheader').length
  expect(shownCount()).toBe(50)
  await user.click(screen.getByRole('button', { name: 'Show more (950 left)' }))
  expect(shownCount()).toBe(100)
  await user.type(field, 'kowhai 59')
  expect(shownCount()).toBe(11)
  await user.click(screen.getByRole('radio', { name: 'Add-ons 0' }))
  expect(screen.getByText('No products match your search.')).toBeTruthy()
  await user.click(screen.getByRole('radio', { name: 'Plans 11' }))
  await user.clear(field)
  await user.type(field, 'product-599')
  expect(shownCount()).toBe(1)
})

test('staff who are not admins can read the catalogue but see no buttons to change it', async () => {
  await openCatalogue({ folder: { changes: 2, faults: [] } }, {}, ['finance'])
  expect(await screen.findByText('The folder’s catalogue has no faults. It would change 2 products.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'New draft' })).toBeNull()
  expect(screen.queryByRole('button', { name: 'Make a draft from the folder' })).toBeNull()
})

test('the catalogue page reports a failed request, and says so if nothing is on sale', async () => {
  const api = await open('/catalogue/', { 'GET /api/desk/catalogue/': new ApiError(500, { code: 'Broken.' }) })
  expect(await screen.findByText('We couldn’t load the catalogue.')).toBeTruthy()
  api.replies['GET /api/desk/catalogue/'] = { ...catalogue, versions: [], products: [], drafts: [] }
  await user.click(screen.getByRole('button', { name: /again/i }))
  expect(await screen.findByText('Nothing is on sale.')).toBeTruthy()
  expect(screen.getByText('No versions yet.')).toBeTruthy()
})

test('the catalogue page lists errors in the catalogue folder with their location', async () => {
  await openCatalogue({
    folder: { changes: 0, faults: ['plans.json: line 30: 3.price_cents: must be 0 at least, not -1.'] },
  })
  const faults = await screen.findByRole('list', { name: 'Faults' })
  expect(within(faults).getByText('plans.json: line 30: 3.price_cents: must be 0 at least, not -1.')).toBeTruthy()
})

test('the dialog for a new catalogue draft lists the file’s errors until the file is valid', async () => {
  const call = 'POST /api/desk/catalogue/drafts/'
  const api = await openCatalogue({}, { [call]: new ApiError(400, { text: ['plans.0.title: is missing.'] }) })
  await user.click(await screen.findByRole('button', { name: 'New draft' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'New draft' }))
  const keep = drawer.getByRole('button', { name: 'Check and save' })
  await user.click(keep)
  expect(await drawer.findByText(catalogueMessages.noFile)).toBeTruthy()
  const field = drawer.getByLabelText(/^Catalogue file/)
  await user.upload(field, file('x'.repeat(1_000_001)))
  await user.click(keep)
  expect(await drawer.findByText(catalogueMessages.tooLarge)).toBeTruthy()
  expect(api.calls.filter(({ at }) => at === call)).toEqual([])
  await user.upload(field, file('{"plans": []}'))
  await user.click(keep)
  expect(await drawer.findByText('plans.0.title: is missing.')).toBeTruthy()
  api.replies[call] = { number: 2 }
  api.replies['GET /api/desk/catalogue/drafts/2/'] = draft
  await user.click(keep)
  expect(await screen.findByRole('heading', { level: 1, name: 'Draft 2' })).toBeTruthy()
  expect(api.calls.findLast(({ at }) => at === call)?.body).toEqual({ name: 'summer.json', text: '{"plans": []}' })
})

test('approval can be requested for a draft that raises a price, with the first of next month as the default start', async () => {
  const call = 'POST /api/desk/catalogue/drafts/2/ask/'
  const api = await openDraft({}, { ...ofDemo, [call]: { id: 'a1', lapses: '2026-11-25T03:03:08Z' } })
  expect(await screen.findByText('5 GB Prepay Plan: price $22.00 → $24.00')).toBeTruthy()
  expect(tableOf('Changes').getByRole('row', { name: /Changed price: 22.00 → 24.00 12 3$/ })).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Publish' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Publish draft 2' }))
  expect(drawer.getByLabelText<HTMLInputElement>('Date and time').value).toBe('2026-12-01T00:00')
  expect(drawer.getByText('Needs approval within 24 hours. Who can approve: Mere Ngata')).toBeTruthy()
  expect(drawer.getByText('3 customers have already been told a price and will pay that price')).toBeTruthy()
  await user.click(drawer.getByRole('button', { name: 'Request approval' }))
  expect(await drawer.findByText('Please choose a reason.')).toBeTruthy()
  await user.selectOptions(drawer.getByLabelText('Reason'), 'New prices')
  await user.click(drawer.getByRole('button', { name: 'Request approval' }))
  expect(await screen.findByText('Request sent. You’ll see the result on the Today page.')).toBeTruthy()
  const wish = { hash, when: 'then', at: '2026-12-01T00:00', reason: 'prices', note: '', answer: null }
  expect(api.calls.findLast(({ at }) => at === call)?.body).toEqual(wish)
})

test('a draft’s page shows a large price cut, lets an admin request approval, and then says that the draft awaits it', async () => {
  const call = 'POST /api/desk/catalogue/drafts/2/ask/'
  const better = ['5 GB Prepay Plan: price falls from $22.00 to $0.01 (-99.9 %)']
  const asked = { by: 'Jo Tan', from: null, left_seconds: 80_000, is_stale: false }
  const api = await openDraft(
    { worse: [], better },
    { ...ofDemo, [call]: { id: 'a1', lapses: '2026-11-25T03:03:08Z' } },
  )
  expect(await screen.findByText(better[0]!)).toBeTruthy()
  expect(screen.getByText(/^This draft needs approval: something gets cheaper or larger/)).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Publish' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Publish draft 2' }))
  expect(drawer.getByText('You’ll be asked to confirm with your passkey')).toBeTruthy()
  await user.click(drawer.getByLabelText('As soon as it is approved'))
  await user.selectOptions(drawer.getByLabelText('Reason'), 'New prices')
  api.replies['GET /api/desk/catalogue/drafts/2/'] = { ...draft, worse: [], better, asked }
  await user.click(drawer.getByRole('button', { name: 'Request approval' }))
  expect(await screen.findByText('Waiting for approval')).toBeTruthy()
})

test('a catalogue draft is not published unless its publisher confirms the content and time with a passkey', async () => {
  const call = 'POST /api/desk/catalogue/drafts/2/publish/'
  const api = await openDraft({ worse: [] }, { 'POST /api/desk/confirm/': { options: {} }, [call]: { version: 4 } })
  await user.click(await screen.findByRole('button', { name: 'Publish' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Publish draft 2' }))
  await user.selectOptions(drawer.getByLabelText('Reason'), 'New prices')
  await user.click(drawer.getByRole('button', { name: 'Publish' }))
  // The test browser does not support passkeys, so publishing stops before the request is sent.
  expect(await drawer.findByText(passkeyMessages.unknownHere)).toBeTruthy()
  expect(api.calls.findLast(({ at }) => at === 'POST /api/desk/confirm/')?.body).toEqual({
    act: `publish catalogue draft 2 ${hash} 2026-12-01T00:00`,
  })
  expect(api.calls.filter(({ at }) => at === call)).toEqual([])
})

test('a catalogue draft that needs no approval is published, and then the new version’s page opens', async () => {
  const call = 'POST /api/desk/catalogue/drafts/2/publish/'
  const api = await openDraft(
    { worse: [] },
    { ...ofDemo, [call]: { version: 4 }, 'GET /api/desk/catalogue/versions/4/': { version, changes: draft.changes } },
  )
  await user.click(await screen.findByRole('button', { name: 'Publish' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Publish draft 2' }))
  await user.click(drawer.getByLabelText('Now'))
  await user.selectOptions(drawer.getByLabelText('Reason'), 'New offer')
  await user.click(drawer.getByRole('button', { name: 'Publish' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Version 4' })).toBeTruthy()
  expect(api.calls.findLast(({ at }) => at === call)?.body).toMatchObject({ when: 'now', reason: 'offer' })
})

test('a draft that is awaiting approval cannot be published, and approval must be requested again if its file is replaced', async () => {
  const asked = { by: 'Jo Tan', from: '2026-11-30T11:00:00Z', left_seconds: 80_000, is_stale: false }
  const api = await openDraft({ asked })
  expect(await screen.findByText(/Jo Tan requested approval to publish it on 1 Dec 2026, 00:00/)).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Publish' })).toBeNull()
  api.replies['GET /api/desk/catalogue/drafts/2/'] = { ...draft, asked: { ...asked, is_stale: true } }
  api.replies['POST /api/desk/catalogue/drafts/2/replace/'] = {}
  await user.click(screen.getByRole('button', { name: 'Replace file' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Replace the file of draft 2' }))
  await user.upload(drawer.getByLabelText(/^Catalogue file/), file('{}'))
  await user.click(drawer.getByRole('button', { name: 'Check and save' }))
  expect(await screen.findByText(/Make a new request/)).toBeTruthy()
  expect(screen.getByText('This draft’s file was replaced.')).toBeTruthy()
  expect(screen.getByRole('button', { name: 'Publish' })).toBeTruthy()
})

test('deleting a catalogue draft takes two clicks, and an error is shown if the deletion fails', async () => {
  const call = 'POST /api/desk/catalogue/drafts/2/drop/'
  const api = await openDraft({}, { [call]: new ApiError(409, { __all__: [catalogueMessages.changed] }) })
  await user.click(await screen.findByRole('button', { name: 'Delete draft' }))
  await user.click(screen.getByRole('button', { name: 'Delete permanently' }))
  expect(await screen.findByText(catalogueMessages.changed)).toBeTruthy()
  api.replies[call] = {}
  api.replies['GET /api/desk/catalogue/'] = { ...catalogue, drafts: [] }
  await user.click(screen.getByRole('button', { name: 'Delete permanently' }))
  expect(await screen.findByRole('heading', { level: 1, name: 'Catalogue' })).toBeTruthy()
})

test('a scheduled catalogue version can be cancelled with a reason', async () => {
  const call = 'POST /api/desk/catalogue/versions/4/call-off/'
  const shown = { version, changes: [] }
  const api = await open('/catalogue/versions/4/', { 'GET /api/desk/catalogue/versions/4/': shown, [call]: {} })
  expect(await screen.findByText('Nothing changes for customers.')).toBeTruthy()
  await user.click(screen.getByRole('button', { name: 'Cancel version' }))
  const drawer = within(await screen.findByRole('dialog', { name: 'Cancel version 4' }))
  await user.selectOptions(drawer.getByLabelText('Reason'), 'Correcting a mistake')
  api.replies['GET /api/desk/catalogue/versions/4/'] = { ...shown, version: { ...version, state: 'called off' } }
  await user.click(drawer.getByRole('button', { name: 'Cancel version' }))
  expect(await screen.findByText('Version 4 was cancelled.')).toBeTruthy()
  await waitFor(() => expect(screen.queryByRole('button', { name: 'Cancel version' })).toBeNull())
  expect(api.calls.findLast(({ at }) => at === call)?.body).toEqual({ reason: 'correction', note: '' })
})
