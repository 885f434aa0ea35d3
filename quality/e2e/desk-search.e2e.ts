import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, test } from 'vitest'
import { formatNational } from '#kit/contract/phone.ts'
import { advanceWizardTo } from '#quality/support/activation-journey.ts'
import { type Customer, makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { newEmail } from '#quality/support/world.ts'
import { collectCaseTimes, sitAt } from './desk-helpers.ts'
import { composeText, confirmComposition, pasteText } from './enter-text.ts'
import { usePortal } from './use-portal.ts'
import { expectHeading } from './wizard.ts'

const portal = usePortal({ env: () => ({ DESK_PORT: '0' }) })
const world = portal.world
const diary = collectCaseTimes()

const getSearchBox = (page: Page) => page.getByRole('combobox', { name: /^Number, name, e-mail, order/ })
const getResults = (page: Page) => page.getByRole('listbox', { name: 'Found' })

/** Opens the search palette of a new staff member's session. */
async function openSearch(): Promise<Page> {
  const { page, key } = await sitAt(portal, diary, /Hine Walker/)
  // The shortcut works only once the page's script has loaded.
  await expect.poll(async () => (await getSearchBox(page).isVisible()) || (await key('Control+k'), false)).toBe(true)
  return page
}

type Result = { href: string | null; text: string; marked: string | undefined }

async function search(page: Page, text: string): Promise<Result[]> {
  await pasteText(getSearchBox(page), text)
  await expect.poll(() => getResults(page).getAttribute('aria-busy')).toBe('false')
  return getResults(page)
    .getByRole('option')
    .evaluateAll((options) =>
      options.map((option) => ({
        href: option.getAttribute('href'),
        text: option.textContent ?? '',
        marked: option.querySelector('mark')?.textContent,
      })),
    )
}

const customerPath = ({ id }: Pick<Customer, 'id'>): string => `/customers/${id}/`

describe('searching by name', () => {
  let paths: Record<'ngawai' | 'sione' | 'aoife', string>
  beforeAll(async () => {
    const [ngawai, sione, aoife] = await Promise.all([
      makeCustomer(world(), { first_name: 'Ng\u0101wai', last_name: 'Te Wh\u0113t\u016b' }),
      makeCustomer(world(), { first_name: 'Sione', last_name: 'Fa\u2019asavalu' }),
      makeCustomer(world(), { first_name: 'Aoife', last_name: 'O\u2019Brien' }),
    ])
    paths = { ngawai: customerPath(ngawai), sione: customerPath(sione), aoife: customerPath(aoife) }
  })

  test('a name is found without its macrons, with any kind of apostrophe, and in any Unicode form and order of words', async () => {
    const page = await openSearch()
    for (const [text, who, marked] of [
      ['Ngawai', 'ngawai', 'Ng\u0101wai'],
      ['Te Whetu', 'ngawai', 'Te'],
      ['Whe\u0304tu\u0304 Nga\u0304wai', 'ngawai', 'Ng\u0101wai'],
      ["Fa'asavalu", 'sione', 'Fa'],
      ['Fa\u02bbasavalu', 'sione', 'Fa'],
      ["O'Brien", 'aoife', 'O\u2019'],
      ['O\u2019Brien', 'aoife', 'O\u2019'],
      ['O\u02bbBrien Aoife', 'aoife', 'Aoife'],
    ] as const)
      expect([text, await search(page, text)]).toEqual([text, [expect.objectContaining({ href: paths[who], marked })]])
  })

  test('while an input method composes a name, the arrow keys and Enter neither select nor open a result', async () => {
    const page = await openSearch()
    const box = getSearchBox(page)
    const chosen = getResults(page).getByRole('option', { selected: true })
    await composeText(box, ['sio', 'sion'])
    await expect.poll(() => getResults(page).getAttribute('aria-busy')).toBe('false')
    await expect.poll(() => chosen.getAttribute('href')).toBe(paths.sione)
    await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    expect(await chosen.getAttribute('href')).toBe(paths.sione)
    await confirmComposition(box, 'sione')
    await expect.poll(() => getResults(page).getAttribute('aria-busy')).toBe('false')
    await page.keyboard.press('Enter')
    await page.waitForURL(`**${paths.sione}`)
  })

  test('the search field does not cut an emoji in half at its maximum length', async () => {
    const page = await openSearch()
    await pasteText(getSearchBox(page), `${'a'.repeat(253)}\u{1f41a}`)
    expect(await getSearchBox(page).inputValue()).toMatch(/^a{253}(?:\u{1f41a})?$/u)
  })
})

test('a customer is found by a number without its prefix, and by a number or address that was copied with text around it', async () => {
  const customer = await makeSubscriber(world())
  const { msisdn } = customer.service
  const national = formatNational(msisdn)
  // Only the first two characters of the address are shown.
  const start = customer.email.slice(0, 2)
  const page = await openSearch()
  for (const [text, marked] of [
    [national.slice(4), national.slice(4)],
    [`tel:${msisdn}`, national],
    [`tel:${national.replaceAll(' ', '-')}`, national],
    [`<${msisdn.replace('+64', '+64 ')}>`, national],
    [`\u202d${national}\u202c`, national],
    [`mailto:${customer.email}?subject=SIM`, start],
    [`Ana Rewi <${customer.email}>`, start],
    [`\u202d${customer.email.toUpperCase()}\u202c`, start],
  ])
    expect([text, await search(page, text ?? '')]).toEqual([
      text,
      [expect.objectContaining({ href: customerPath(customer), marked })],
    ])
})

describe('unfinished and failed activations', () => {
  const parts = (sim: { msisdn: string; iccid: string }) => [formatNational(sim.msisdn), sim.iccid]

  test('an activation that was never paid is found by email address, name, number and SIM', async () => {
    const email = newEmail()
    const { sim } = await advanceWizardTo(world(), 'METHOD_ENTERED', { full_name: 'R\u0101wiri K\u014dp\u016b', email })
    const page = await openSearch()
    for (const text of [email, 'rawiri kopu', ...parts(sim)]) {
      const [row, ...others] = await search(page, text)
      expect([text, row?.text, others]).toEqual([text, expect.stringContaining('stopped at the choice of plan'), []])
      expect(row?.text).toContain('Unfinished')
    }
    await page.keyboard.press('Enter')
    await expectHeading(page, 'Find')
  })

  test('an activation whose payment was refused is found by email address, name, number and SIM, and links to its order', async () => {
    const email = newEmail()
    const visitor = await advanceWizardTo(world(), 'PAYMENT', { full_name: 'W\u012bremu \u014ctene', email })
    await visitor.pay({ holder: 'DECLINED' })
    const orders = world().db.selectFrom('orders').select('order_code').where('email', '=', email)
    const { order_code: code } = await orders.executeTakeFirstOrThrow()
    const page = await openSearch()
    for (const text of [email, 'otene', ...parts(visitor.sim)]) {
      const rows = await search(page, text)
      expect([text, rows]).toEqual([text, [expect.objectContaining({ href: `/orders/${code}/` })]])
      expect(rows[0]?.text).toMatch(new RegExp(`payment refused.*${code}.*Failed`))
    }
    await page.keyboard.press('Enter')
    await expectHeading(page, code)
  })
})

test('a search for a mistyped order code says that no order has it, in the palette and on the search page', async () => {
  const page = await openSearch()
  expect(await search(page, 'FT 0123-456789')).toEqual([])
  await page.getByText('No order with this code.').waitFor()
  await page.keyboard.press('Enter')
  await expectHeading(page, 'Find')
  await page.getByText('No order with this code.').waitFor()
})
