import { fireEvent, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, describe, expect, test, vi } from 'vitest'
import { ApiError } from '#kit/contract/errors.ts'
import { activationView, testProduct } from '#quality/support/activation-view.ts'
import {
  australianBootstrap,
  createFakeApi,
  getFieldError,
  openPortal,
  testBootstrap,
} from '#quality/support/open-portal.tsx'
import { type PlanFilter, planMessages, type Product } from '#features/plans/plans.contract.ts'
import type { Activation } from '../activation.contract.ts'
import { activationPages } from './activation.pages.ts'

const user = userEvent.setup()

const plan = (length: number, data_gb: number, price: string, change: Partial<Product> = {}): Product => ({
  ...testProduct,
  unique_id: `plan-${length}-${data_gb}`,
  length,
  data_gb,
  data: data_gb,
  price,
  rrp: null,
  ...change,
})

const small = plan(30, 5, '22.00')
const large = plan(30, 25, '43.00')
const welcome = plan(30, 25, '21.50', {
  unique_id: 'welcome',
  rrp: '43.00',
  new_customer_only: true,
  next_product_unique_id: large.unique_id,
  sort_order: 2,
})
const longer = plan(90, 25, '109.65', { rrp: '129.00' })
const tiny = plan(7, 0.5, '6.00')
const hidden = [
  plan(30, 100, '99.00', { sku: null }),
  plan(30, 2, '10.00', { unique_id: 'extra', product_type: 2 }),
  plan(28, 3, '12.00', { unique_id: 'no-such-length' }),
]
// This catalogue is in no particular order, so the page has to sort the plans itself.
const catalogue = [longer, large, ...hidden, welcome, tiny, small]

const filter = (position: number, length: number): PlanFilter => ({ position, length, unit: 'days', promo_text: null })
const filters = [filter(0, 7), filter(50, 30), filter(100, 90)]

const refused = { 'POST /api/activate/plan/': new ApiError(400, { plan: [planMessages.required] }) }
const taken = { 'POST /api/activate/plan/': activationView({ state: 'DETAILS_ENTERED', product: large }) }

async function open(replies = {}, now: Partial<Activation> = {}, bootstrap = testBootstrap) {
  const api = createFakeApi({
    'GET /api/activate/': activationView({ state: 'METHOD_ENTERED', method: 'payment', ...now }),
    'GET /api/account/': { authenticated: false, user: null },
    'GET /api/products/': Object.fromEntries(catalogue.map((each) => [each.unique_id, each])),
    'GET /api/products/filters/': filters,
    ...replies,
  })
  await openPortal(activationPages, '/activate/plans/', api, bootstrap)
  await screen.findByRole('heading', { level: 1, name: 'Choose Your Prepay Plan' })
  return api
}

async function openChooser(...options: Parameters<typeof open>) {
  const api = await open(...options)
  await screen.findByRole('slider')
  return api
}

const slider = () => screen.getByRole<HTMLInputElement>('slider', { name: 'Plan length' })
const length = () => slider().getAttribute('aria-valuetext')
// Do what a browser does: each arrow key changes the slider's value by one step.
const press = (step: number) => {
  fireEvent.keyDown(slider())
  fireEvent.change(slider(), { target: { value: String(Number(slider().value) + step) } })
}
const group = () => screen.getByRole('radiogroup', { name: 'Prepay Plan' })
const radio = (name: string) => screen.getByRole<HTMLInputElement>('radio', { name })
const names = () =>
  within(group())
    .queryAllByRole('radio')
    .map((each) => wordsAt(each, 'aria-labelledby'))
const detailsOf = (name: string) => wordsAt(radio(name), 'aria-describedby')
const chosen = () =>
  within(group())
    .queryAllByRole<HTMLInputElement>('radio')
    .filter((each) => each.checked)
    .map((each) => each.value)
const inShort = () => within(screen.getByRole('main')).getAllByRole('status')[0]?.textContent
const proceed = () => screen.getByRole<HTMLButtonElement>('button', { name: 'CONTINUE' })
const showAll = () => screen.getByRole('button', { name: 'Show all plans' })
const panel = () => screen.getByRole<HTMLDialogElement>('dialog', { name: 'All Prepay Plans' })

function wordsAt(element: HTMLElement, attribute: string): string {
  const ids = element.getAttribute(attribute)?.split(' ') ?? []
  return ids
    .map((id) => document.getElementById(id)?.textContent)
    .join(' ')
    .replaceAll('\u00A0', ' ')
}

beforeEach(() => sessionStorage.clear())

describe('plans with the selected length', () => {
  test('shows 30-day plans first, sorted by data and without plans that cannot be bought', async () => {
    await openChooser()
    expect(length()).toBe('30 days')
    expect(names()).toEqual(['5 GB $22.00', '25 GB $43.00', '25 GB was $43.00 $21.50'])
    expect(chosen()).toEqual([])
    expect(inShort()).toBe('3 plans')
  })

  test('moving the plan length slider with the arrow keys changes which plans are shown, and it stops at either end', async () => {
    await openChooser()
    press(1)
    expect([length(), names()]).toEqual(['90 days', ['25 GB was $129.00 $109.65']])
    press(1)
    expect(length()).toBe('90 days')
    press(-1)
    press(-1)
    expect([length(), names()]).toEqual(['7 days', ['500 MB $6.00']])
  })

  test('each plan shows how many days its data is for and what the plan costs per 30 days', async () => {
    await openChooser()
    expect(detailsOf('5 GB $22.00')).toBe(
      'to use in 30 days Total Upfront Cost Works out to $22.00 for 30 days $22.31 monthly average',
    )
    expect(detailsOf('25 GB was $43.00 $21.50')).toContain('New customers')
    press(1)
    expect(detailsOf('25 GB was $129.00 $109.65')).toBe(
      'every 30 days (75 GB in all) Total Upfront Cost Works out to $36.55 per 30 days $37.06 monthly average',
    )
    press(-1)
    press(-1)
    expect(detailsOf('500 MB $6.00')).toBe(
      'to use in 7 days Total Upfront Cost Works out to $25.71 per 30 days $26.07 monthly average',
    )
  })

  test('only a new-customer plan shows which plan follows it and what the following plan costs', async () => {
    await openChooser()
    expect(detailsOf('25 GB was $43.00 $21.50')).toContain('After that: 25 GB for 30 days, $43.00')
    expect(detailsOf('25 GB $43.00')).not.toContain('After that')
  })

  test('does not show new-customer plans to an existing customer', async () => {
    await openChooser({}, { is_new_customer: false })
    expect(names()).toEqual(['5 GB $22.00', '25 GB $43.00'])
    expect(inShort()).toBe('2 plans')
  })

  test('keeps the chosen amount of data when the plan length changes, if there is a matching plan', async () => {
    await openChooser()
    await user.click(radio('25 GB $43.00'))
    expect(inShort()).toBe('25 GB')
    press(1)
    expect([chosen(), inShort()]).toEqual([['plan-90-25'], '75 GB in all, 25 GB at a time'])
    press(-1)
    expect(chosen()).toEqual(['plan-30-25'])
    press(-1)
    expect([chosen(), inShort()]).toEqual([[], '1 plan'])
    press(1)
    expect(chosen()).toEqual([])
  })

  test('says whether there are no plans with the selected length or no plans at all', async () => {
    await openChooser({ 'GET /api/products/': { small } })
    press(1)
    expect(names()).toEqual([])
    expect(screen.getByText(/no Prepay Plans of this length/)).toBeDefined()
    document.body.replaceChildren()
    await openChooser({ 'GET /api/products/': {} })
    expect(screen.getByText(/no Prepay Plans to choose from/)).toBeDefined()
    expect(screen.queryByRole('button', { name: 'Show all plans' })).toBeNull()
  })

  test('selects the first length on the plan length slider if there are no 30-day plans', async () => {
    await openChooser({ 'GET /api/products/filters/': [filter(60, 90), filter(10, 7)] })
    expect([length(), names()]).toEqual(['7 days', ['500 MB $6.00']])
  })
})

describe('choosing a plan', () => {
  test('the visitor must choose a plan before continuing', async () => {
    const api = await openChooser()
    await user.click(proceed())
    expect(getFieldError(group())).toBe('Please select a Prepay Plan.')
    await expect.poll(() => document.activeElement).toBe(radio('5 GB $22.00'))
    expect(proceed().disabled).toBe(true)
    await user.click(radio('5 GB $22.00'))
    expect(getFieldError(group())).toBeNull()
    expect(proceed().disabled).toBe(false)
    expect(api.calls.filter(({ at }) => at.startsWith('POST'))).toEqual([])
  })

  test('pressing CONTINUE sends the chosen plan and deletes the choice stored in the browser', async () => {
    const api = await openChooser(taken)
    await user.click(radio('25 GB $43.00'))
    await user.click(proceed())
    await screen.findByRole('radio', { name: 'Buy a Prepay Plan now' })
    expect(api.calls.find(({ at }) => at.startsWith('POST'))).toMatchObject({
      at: 'POST /api/activate/plan/',
      body: { plan: 'plan-30-25' },
    })
    expect(sessionStorage.length).toBe(0)
  })

  test('asks for a different plan when the chosen one is no longer available', async () => {
    await openChooser(refused)
    await user.click(radio('5 GB $22.00'))
    await user.click(proceed())
    await expect.poll(() => getFieldError(group())).toBe('Please select a Prepay Plan.')
  })

  test('shows the chosen plan and its length when the visitor comes back to the page', async () => {
    await openChooser({}, { product: longer })
    expect([length(), chosen(), inShort()]).toEqual(['90 days', ['plan-90-25'], '75 GB in all, 25 GB at a time'])
  })

  test('selects no plan if the plan chosen earlier is no longer offered', async () => {
    await openChooser({}, { product: { ...small, unique_id: 'withdrawn', length: 28 } })
    expect([length(), chosen()]).toEqual(['30 days', []])
  })

  test('a reload keeps the chosen plan, or just the length if no plan has been chosen', async () => {
    await openChooser()
    press(1)
    await user.click(radio('25 GB was $129.00 $109.65'))
    document.body.replaceChildren()
    await openChooser()
    expect([length(), chosen()]).toEqual(['90 days', ['plan-90-25']])
    press(-1)
    press(-1)
    document.body.replaceChildren()
    await openChooser()
    expect([length(), chosen()]).toEqual(['7 days', []])
  })

  test('pressing BACK on the plan page returns to the choice of payment method', async () => {
    await openChooser()
    await user.click(screen.getByRole('button', { name: 'BACK' }))
    await screen.findByRole('radio', { name: 'Buy a Prepay Plan now' })
    expect(location.pathname).toBe('/activate/method/')
  })
})

describe('the list of all plans', () => {
  const rows = (data: string) =>
    within(within(panel()).getByRole('table', { name: data }))
      .getAllByRole('row')
      .slice(1)
      .map((row) => {
        const [days, per30, total] = row.children
        return [days?.textContent, per30?.textContent, total?.textContent]
      })

  test('lists all plans in one table per amount of data, from shortest to longest', async () => {
    await openChooser()
    await user.click(showAll())
    expect(await within(panel()).findAllByRole('table')).toHaveLength(3)
    expect(rows('500 MB')).toEqual([['500 MB, 7 days', '$25.71 $26.07 monthly average', '$6.00']])
    expect(rows('5 GB')).toEqual([['5 GB, 30 days', '$22.00 $22.31 monthly average', '$22.00']])
    expect(rows('25 GB')).toEqual([
      ['25 GB, 30 days', '$43.00 $43.60 monthly average', '$43.00'],
      ['25 GB, 30 days New customers', '$21.50 $21.80 monthly average', '$21.50'],
      ['25 GB, 90 days 75 GB in all', '$36.55 $37.06 monthly average', '$109.65'],
    ])
    await user.click(screen.getByRole('button', { name: 'Hide all plans' }))
    expect(document.querySelector('dialog')?.open).toBe(false)
  })

  test('in Australia, plan cards and the list of all plans show no monthly average', async () => {
    await openChooser({}, {}, australianBootstrap)
    await user.click(showAll())
    await within(panel()).findAllByRole('table')
    expect(rows('5 GB')).toEqual([['5 GB, 30 days', '$22.00', '$22.00']])
    expect(document.body.textContent).not.toMatch(/monthly average/i)
  })

  test('choosing from the list of all plans selects the plan and its length, and the list stays open on a wide screen', async () => {
    vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: false }))
    await openChooser()
    await user.click(showAll())
    await user.click(await within(panel()).findByRole('button', { name: '25 GB, 90 days 75 GB in all' }))
    expect([length(), chosen()]).toEqual(['90 days', ['plan-90-25']])
    expect(within(panel()).getByRole('button', { pressed: true }).textContent).toBe('25 GB, 90 days 75 GB in all')
  })

  test('choosing from the list of all plans on a phone closes the list and focuses the plan', async () => {
    vi.stubGlobal('matchMedia', () => Object.assign(new EventTarget(), { matches: true }))
    // happy-dom does not support the :modal selector, so emulate it.
    const { matches } = Element.prototype
    vi.spyOn(HTMLDialogElement.prototype, 'matches').mockImplementation(function (this: Element, selector) {
      return selector === ':modal' || matches.call(this, selector)
    })
    await openChooser()
    await user.click(showAll())
    await user.click(await within(panel()).findByRole('button', { name: '500 MB, 7 days' }))
    expect(document.querySelector('dialog')?.open).toBe(false)
    await expect.poll(() => document.activeElement).toBe(radio('500 MB $6.00'))
    expect(length()).toBe('7 days')
  })
})

describe('a catalogue of 1,000 plans', () => {
  const many = Array.from({ length: 1_000 }, (_, index) =>
    plan(30, 1 + (index % 50), `${20 + (index % 10)}.00`, { unique_id: `plan-${index}`, title: `Kōwhai ${index}` }),
  )
  const openMany = () =>
    openChooser({ 'GET /api/products/': Object.fromEntries(many.map((each) => [each.unique_id, each])) })
  const search = () => within(screen.getByRole('main')).findByRole('searchbox', { name: 'Search plans' })
  const headings = () => screen.queryAllByRole('heading', { level: 3 }).map(({ textContent }) => textContent)

  test('groups the plans by data, shows the first 24 and shows more on request', async () => {
    await openMany()
    await search()
    expect(inShort()).toBe('1000 plans')
    expect(names()).toHaveLength(24)
    expect(headings()).toEqual(['1 GB', '2 GB'])
    await user.click(screen.getByRole('button', { name: 'Show more plans' }))
    expect(names()).toHaveLength(48)
  })

  test('finds plans by name, data or price, and says so if no plan matches', async () => {
    await openMany()
    await user.type(await search(), 'KOWHAI 777')
    expect(names()).toEqual(['28 GB $27.00'])
    expect(detailsOf('28 GB $27.00')).toContain('Kōwhai 777')
    expect(screen.getByText('1 of 1000 plans')).toBeDefined()
    await user.clear(await search())
    await user.type(await search(), '28gb $27')
    expect(names()).toEqual(Array.from({ length: 20 }, () => '28 GB $27.00'))
    await user.type(await search(), '0000{Enter}')
    expect(names()).toEqual([])
    expect(screen.getByText(/^No plans match your search\./)).toBeDefined()
  })

  test('still shows the chosen plan when the search does not find it', async () => {
    await openMany()
    await user.type(await search(), 'kowhai 777')
    await user.click(radio('28 GB $27.00'))
    await user.clear(await search())
    await user.type(await search(), 'kowhai 778')
    expect(chosen()).toEqual(['plan-777'])
    expect(headings()).toEqual(['Your choice', '29 GB'])
  })

  test('the list of all plans shows the first 100 and can be searched', async () => {
    await openMany()
    await user.click(showAll())
    const field = await within(panel()).findByRole('searchbox', { name: 'Search plans' })
    expect(within(panel()).getAllByRole('rowheader')).toHaveLength(100)
    await user.type(field, 'kowhai 77')
    expect(within(panel()).getAllByRole('rowheader')).toHaveLength(11)
  })
})

test('the plan page shows the next step and its cost once a plan has been chosen', async () => {
  await openChooser()
  expect(screen.queryByText(/^Next:/)).toBeNull()
  await user.click(radio('5 GB $22.00'))
  expect(screen.getByText('Next: payment. You’ll pay $22.00 in total.')).toBeTruthy()
})

test('the plan terms open with one click', async () => {
  await openChooser()
  expect(screen.getByText('Prepay Plan terms').closest('details')?.open).toBe(false)
  await user.click(screen.getByText('Prepay Plan terms'))
  expect(screen.getByText('A Prepay Plan starts on the day you buy it.').closest('details')?.open).toBe(true)
})

test.each([
  ['the plans', 'GET /api/products/', { small }],
  ['the plan lengths', 'GET /api/products/filters/', filters],
])('the visitor can retry when %s fail to load', async (_, at, answer) => {
  const api = await open({ [at]: new ApiError(500, {}) })
  const note = 'Our Prepay Plans didn’t load. Nothing you have entered is lost.'
  expect((await screen.findByText(note)).closest('[role="status"]')).not.toBeNull()
  // A failure to load is not announced as an alert (specification 8).
  expect(screen.queryByRole('alert')).toBeNull()
  expect(screen.getByRole('button', { name: 'BACK' })).toBeDefined()
  const asked = api.calls.length
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  await screen.findByText(note)
  api.replies[at] = answer
  await user.click(screen.getByRole('button', { name: 'Try Again' }))
  await screen.findByRole('radio', { name: '5 GB $22.00' })
  expect(api.calls.slice(asked).map((call) => call.at)).toEqual([at, at])
})
