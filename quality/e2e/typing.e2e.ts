import type { Page } from 'playwright-core'
import { describe, expect, test } from 'vitest'
import { emailMessage } from '#kit/contract/email.ts'
import { formatNational } from '#kit/contract/phone.ts'
import type { WizardState } from '#features/activation/activation.states.ts'
import { advanceWizardTo, portForm } from '#quality/support/activation-journey.ts'
import { makeCustomer, makeSubscriber } from '#quality/support/customer.ts'
import { pollUntil } from '#quality/support/poll-until.ts'
import { newEmail } from '#quality/support/world.ts'
import { enter, expectDashboard, getButton, getField, openForm, reads } from './account.ts'
import { composeText, confirmComposition, pasteText } from './enter-text.ts'
import { usePortal } from './use-portal.ts'
import { expectHeading } from './wizard.ts'

const portal = usePortal()
const world = () => portal.world()

const toFullWidth = (text: string): string =>
  text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0))

describe('invisible characters', () => {
  test('a visitor can paste a phone number, PIN, name, email address and voucher code that contain invisible characters', async () => {
    const [sim, voucher] = [await world().newSim(), await world().newVoucher()]
    const email = newEmail()
    const page = await openForm(portal, '/activate/')
    const number = page.getByRole('textbox', { name: 'Phone Number on the SIM pack' })
    for (const text of [
      '\u202d021 555 0142\u202c',
      '\u200e021 555 0142',
      '\uff10\uff12\uff11 \uff15\uff15\uff15 \uff10\uff11\uff14\uff12',
    ]) {
      await pasteText(number, text)
      expect([text, await number.inputValue()]).toEqual([text, '021 555 0142'])
    }
    await pasteText(number, `\u202d${formatNational(sim.msisdn)}\u202c`)
    await pasteText(page.getByRole('textbox', { name: 'Last 4 digits of the SIM Number' }), `\u200e${sim.sim_serial}\t`)
    await page.getByRole('radio', { name: /^No, use/ }).check()
    await getButton(page, 'START').click()

    await expectHeading(page, 'Your Personal Details')
    await pasteText(getField(page, 'Full name'), '\u202dAna Rewi\u202c')
    await pasteText(getField(page, 'Email'), `\u202d${email}\u202c`)
    await getField(page, 'New password').fill('korimako 1')
    await page.getByRole('checkbox').check()
    await getButton(page, 'CONTINUE').click()

    await page.getByRole('radio', { name: /Voucher Code/ }).check()
    await pasteText(getField(page, 'Voucher Code'), `\ufeff\u202d${voucher.toLowerCase()}\u202c`)
    expect(await getField(page, 'Voucher Code').inputValue()).toBe(voucher)
    await page.getByText('5 GB').first().waitFor()
    const stored = world().db.selectFrom('activations').select('full_name').where('email', '=', email)
    expect(await stored.execute()).toEqual([{ full_name: 'Ana Rewi' }])
  })

  test('a customer’s name is saved without invisible characters, except for the joiners that it needs', async () => {
    const page = await openForm(portal, '/account/contact-details/', await makeCustomer(world()))
    for (const [pasted, saved] of [
      ['Ana Rewi\u200e', 'Ana Rewi'],
      ['Ana\u200b Rewi', 'Ana Rewi'],
      ['\u202dAna Rewi\u202c', 'Ana Rewi'],
      ['Anne\u00adMarie Rewi', 'AnneMarie Rewi'],
      ['Ana\tRewi', 'Ana Rewi'],
      ['Ana \u{1f469}\u200d\u{1f467} Rewi', 'Ana \u{1f469}\u200d\u{1f467} Rewi'],
    ] as const) {
      await pasteText(getField(page, 'First name'), pasted)
      expect([pasted, await saveNames(page)]).toEqual([pasted, { first_name: saved, last_name: 'Rewi' }])
    }
  })

  test.each([
    ['direction overrides', (email: string) => `\u202d${email}\u202c`],
    ['a direction mark', (email: string) => `\u200e${email}`],
  ])('a customer logs in with an email address that was pasted with %s', async (_name, wrap) => {
    const customer = await makeCustomer(world())
    const page = await openForm(portal, '/login/')
    await pasteText(getField(page, 'Email'), wrap(customer.email))
    await getField(page, 'Password').fill(customer.password)
    await getButton(page, 'LOG IN').click()
    await expectDashboard(page)
  })
})

/** Saves the contact details and returns the names in the server’s response. */
async function saveNames(page: Page): Promise<{ first_name: string; last_name: string }> {
  const response = page.waitForResponse('**/api/account/update_details/')
  await getButton(page, 'SAVE').click()
  const { user } = await (await response).json()
  return { first_name: user.first_name, last_name: user.last_name }
}

describe('Unicode forms', () => {
  const [nfc, nfd] = ['P\u014dhutukawa-99', 'Po\u0304hutukawa-99']

  test('a name is stored in composed form, and a password works in composed, decomposed and full-width form', async () => {
    const customer = await makeCustomer(world(), { password: nfc })
    for (const typed of [nfd, toFullWidth(nfc)]) {
      const page = await openForm(portal, '/login/')
      await getField(page, 'Email').fill(customer.email)
      await getField(page, 'Password').fill(typed)
      expect(await getField(page, 'Password').inputValue()).toBe(typed)
      await getButton(page, 'LOG IN').click()
      await expectDashboard(page)
    }
    const page = await openForm(portal, '/account/contact-details/', customer)
    await getField(page, 'First name').fill('Nga\u0304wai')
    await getField(page, 'Last name').fill('Te Whe\u0304tu\u0304')
    expect(await saveNames(page)).toEqual({ first_name: 'Ng\u0101wai', last_name: 'Te Wh\u0113t\u016b' })
  })

  test('a name of the maximum length that ends with an emoji is saved whole, and a longer name is rejected', async () => {
    const page = await openForm(portal, '/account/contact-details/', await makeCustomer(world()))
    const name = getField(page, 'First name')
    await pasteText(name, `${'a'.repeat(29)}\u{1f41a}\u{1f41a}`)
    await name.blur()
    await reads(page, 'Your first name can be up to 30 characters.')
    expect(await name.inputValue()).toBe(`${'a'.repeat(29)}\u{1f41a}\u{1f41a}`)
    await pasteText(name, `${'a'.repeat(29)}\u{1f41a}`)
    expect(await saveNames(page)).toMatchObject({ first_name: `${'a'.repeat(29)}\u{1f41a}` })
  })
})

describe('fields that format their text, with an input method', () => {
  const number = ['\uff10', '\uff10\uff12', '\uff10\uff12\uff11\uff15\uff15\uff15\uff10\uff11\uff14\uff12']
  const card = ['4', '41', '4111', '4111111111111111']

  test.each([
    {
      path: '/activate/',
      fields: [
        ['Phone Number on the SIM pack', number, '0215550142'],
        ['Last 4 digits of the SIM Number', ['\uff10', '\uff10\uff11a', '\uff10\uff11\uff14\uff1299'], '0142'],
      ],
    },
    {
      path: '/activate/porting/',
      fields: [
        ['Phone Number you want to bring', ['021', '\u202d021 555 0142\u202c'], '021 555 0142'],
        ['Existing Prepay SIM Number', ['89', '8964 05', '8964\uff0d0501'], '89640501'],
      ],
    },
    { path: '/activate/method/', fields: [['Voucher Code', ['a', 'ab', 'abc', 'abc1'], 'ABC1']] },
    {
      path: '/activate/checkout/',
      fields: [
        ['Card number', card, '4111 1111 1111 1111'],
        ['Expiry', ['3', '33', '330'], '03 / 30'],
        ['Security code', ['7', '\uff17\uff13\uff17'], '737'],
        ['Card number', card.map(toFullWidth), '4111 1111 1111 1111'],
        ['Expiry', ['\uff10', '\uff10\uff13\uff0f\uff13\uff10'], '03 / 30'],
      ],
    },
  ] as const)(
    'the fields on $path leave text alone while it is composed, and format it once it is confirmed',
    async ({ path, fields }) => {
      const page = await openWizardPage(path)
      for (const [label, steps, formatted] of fields) {
        const field = page.getByRole('textbox', { name: label })
        await field.clear()
        await composeText(field, steps)
        await confirmComposition(field, steps.at(-1) ?? '')
        await expect.poll(async () => [label, await field.inputValue()]).toEqual([label, formatted])
      }
    },
  )

  test('after text is composed in the middle of a voucher code, the cursor is behind the new letters', async () => {
    const page = await openWizardPage('/activate/method/')
    const field = getField(page, 'Voucher Code')
    await field.pressSequentially('ab1')
    await field.press('ArrowLeft')
    await composeText(field, ['c', 'cd'])
    await confirmComposition(field, 'cd')
    await expect.poll(() => field.inputValue()).toBe('ABCD1')
    expect(await field.evaluate((input: HTMLInputElement) => input.selectionStart)).toBe('ABCD'.length)
  })

  test('a card number that is still being composed is formatted when the customer goes on to the next field', async () => {
    const page = await openWizardPage('/activate/checkout/')
    await getField(page, 'Card number').focus()
    await composeText(getField(page, 'Card number'), card)
    await getField(page, 'Name on card').tap()
    await expect.poll(() => getField(page, 'Card number').inputValue()).toBe('4111 1111 1111 1111')
  })
})

/** Opens a page of the activation wizard for a visitor who has completed the steps before it. */
async function openWizardPage(path: string): Promise<Page> {
  const state = wizardStates[path]
  const port = path === '/activate/porting/' ? { port: portForm('+64275550113') } : {}
  const page = await openForm(portal, path, state && (await advanceWizardTo(world(), state, port)))
  if (path === '/activate/porting/') await page.getByRole('radio', { name: 'Prepay' }).check()
  if (path === '/activate/method/') await page.getByRole('radio', { name: /Voucher Code/ }).check()
  return page
}

const wizardStates: Readonly<Record<string, WizardState>> = {
  '/activate/porting/': 'PORTING_ENTERED',
  '/activate/method/': 'DETAILS_ENTERED',
  '/activate/checkout/': 'PAYMENT',
}

test('an email change rejects undeliverable addresses, questions mistyped ones, and texts a PIN bound to the page’s host', async () => {
  const customer = await makeSubscriber(world())
  const page = await openForm(portal, '/account/contact-details/change-email/', customer)
  const email = getField(page, 'New email address')
  const local = newEmail().split('@')[0] ?? ''
  for (const typed of ['ana@localhost', 'ana@example..nz', `${'a'.repeat(65)}@example.nz`, 'ana@example.123']) {
    await enter(page, 'New email address', typed)
    await reads(page, emailMessage)
    await email.fill('')
  }
  await pasteText(email, `\u202d${local}@gmial.com\u202c`)
  await email.blur()
  const question = page.getByRole('group', { name: `Did you mean ${local}@gmail.com?` })
  await question.waitFor()
  await getButton(page, 'CONTINUE').tap()
  await expect
    .poll(() =>
      question
        .getByRole('button')
        .first()
        .evaluate((button) => button.matches(':focus')),
    )
    .toBe(true)
  await question.getByRole('button', { name: 'No' }).tap()
  await page.getByRole('heading', { level: 2, name: 'Enter your One-Time PIN' }).waitFor()
  await reads(page, `${local}@gmial.com`)

  const text = await pollUntil(
    async () => (await world().smsTo(customer.service.msisdn)).find(({ text }) => /PIN/.test(text))?.text,
  )
  const [, host, pin = ''] = /\n@(\S+) #(\d{6})$/.exec(text) ?? []
  expect(host).toBe(await page.evaluate(() => location.hostname))
  await pasteText(getField(page, 'One-Time PIN'), `\u2066${toFullWidth(pin)}\u2069`)
  expect(await getField(page, 'One-Time PIN').inputValue()).toBe(pin)
  await getButton(page, 'CONTINUE').tap()
  await page.getByRole('heading', { level: 2, name: 'Check your inbox' }).waitFor()
})
