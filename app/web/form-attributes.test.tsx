import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { beforeEach, expect, test } from 'vitest'
import type { Market } from '#kit/contract/bootstrap.ts'
import { ApiError } from '#kit/contract/errors.ts'
import type { PageEntry } from '#kit/web/page.ts'
import { accountPages } from '#features/account/web/account.pages.ts'
import { activationPages } from '#features/activation/web/activation.pages.ts'
import { addOnPages } from '#features/addons/web/addons.pages.ts'
import { alertPages } from '#features/alerts/web/alerts.pages.ts'
import { authPages } from '#features/auth/web/auth.pages.ts'
import { changeEmailPages } from '#features/change-email/web/change-email.pages.ts'
import { paymentMethodPages } from '#features/payment-method/web/payment-method.pages.ts'
import { portingPages } from '#features/porting/web/porting.pages.ts'
import { privacyPages } from '#features/privacy/web/privacy.pages.ts'
import { renewalPages } from '#features/renewal/web/renewal.pages.ts'
import { numberPages } from '#features/services/web/number.pages.ts'
import { voucherPages } from '#features/vouchers/web/vouchers.pages.ts'
import {
  anonymousAccount,
  portingProgress,
  portingRequestView,
  signedInAccount,
  twoServices,
} from '#quality/support/account.ts'
import { activationView, noActivationError } from '#quality/support/activation-view.ts'
import {
  testService,
  servicesById,
  openAsCustomer,
  shortId,
  uuid,
  repliesWithoutCard,
} from '#quality/support/purchase-fixtures.ts'
import { toPay } from '#quality/support/checkout.ts'
import { australianBootstrap, type Reply } from '#quality/support/open-portal.tsx'

const user = userEvent.setup()

const stillRuns = { 'GET /api/services/': servicesById(testService({ expiry_date: '2099-02-13T11:00:00Z' })) }

type Told = {
  type?: string
  autocomplete?: string
  inputmode?: string
  autocapitalize?: string
  spellcheck?: string
  enterkeyhint?: string
  required?: false
  readonly?: true
}

const verbatim = { autocapitalize: 'none', spellcheck: 'false' } satisfies Told
const email: Told = { ...verbatim, type: 'email', autocomplete: 'email' }
const newPassword: Told = { ...verbatim, type: 'password', autocomplete: 'new-password' }
const currentPassword: Told = { ...newPassword, autocomplete: 'current-password' }
const aSwitch: Told = { type: 'checkbox', required: false }
const code: Told = { autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false' }
const group: Told = { type: 'group' }
const card: Record<string, Told> = {
  'Card number': { autocomplete: 'cc-number', inputmode: 'numeric' },
  'Name on card': { autocomplete: 'cc-name', spellcheck: 'false' },
  Expiry: { autocomplete: 'cc-exp', inputmode: 'numeric' },
  'Security code': { autocomplete: 'cc-csc', inputmode: 'numeric' },
}
const porting: Record<string, Told> = {
  'Phone Number you want to bring': { type: 'tel', autocomplete: 'tel' },
  'Current provider': { autocomplete: 'off' },
  'How do you pay your current provider?': group,
}

type FormOf = {
  files: string[]
  pages: readonly PageEntry[]
  path: string
  replies?: Record<string, Reply>
  market?: Market
  form?: string
  more?: () => Promise<void>
  fields: Record<string, Told>
}

const visitor = { 'GET /api/account/': anonymousAccount, 'GET /api/activate/': noActivationError }
const at = (state: 'PORTING_ENTERED' | 'CREATED' | 'DETAILS_ENTERED' | 'METHOD_ENTERED') => ({
  ...visitor,
  'GET /api/activate/': activationView({ state, setup_porting: state === 'PORTING_ENTERED' }),
})
const changing = (state: string) => ({
  'GET /api/account/update_email/': {
    state,
    new_email: state === 'CREATED' ? '' : 'new@example.nz',
    sent_to: '',
    canceled_by: null,
    locked_until: null,
  },
})
const providers = {
  'GET /api/account/porting_providers/': { providers: [{ id: 'skinny', name: 'Skinny' }], looked_at_from: null },
}
const noErasure = { waiting: null, in_the_way: [], lost: [] }
const someAlerts = {
  half: 'off',
  most: 'text',
  all: 'both',
  before_end: 'both',
  percents: { half: 50, most: 80, all: 100 },
  end_fixed: true,
}
const choose = async (name: string) => user.click(await screen.findByRole('radio', { name }))
const press = async (name: string) => user.click(await screen.findByRole('button', { name }))

const saving = { 'Save this card for next time': { type: 'checkbox', required: false } } as const

const forms: Record<string, FormOf> = {
  'the code of a transfer': {
    files: ['features/porting/web/EnterCode.tsx'],
    pages: portingPages,
    path: `/services/${uuid}/port/`,
    market: australianBootstrap.market,
    replies: {
      ...providers,
      [`GET /api/services/port/${uuid}/`]: null,
      'GET /api/services/': servicesById(
        testService({
          porting_request: portingRequestView({ status: 2, progress: portingProgress({ step: 'reply' }) }),
        }),
      ),
    },
    fields: { 'Code from the text': { autocomplete: 'one-time-code', inputmode: 'numeric', enterkeyhint: 'done' } },
  },
  login: {
    files: ['features/auth/web/login.page.tsx'],
    pages: authPages,
    path: '/login/',
    replies: visitor,
    fields: {
      Email: { ...email, autocomplete: 'username' },
      Password: currentPassword,
    },
  },
  'a forgotten password': {
    files: ['features/auth/web/forgot-password.page.tsx'],
    pages: authPages,
    path: '/forgot-password/',
    replies: visitor,
    fields: { Email: { ...email, enterkeyhint: 'send' } },
  },
  'a password set anew': {
    files: ['features/auth/web/password-reset.page.tsx'],
    pages: authPages,
    path: '/password-reset/u/t/',
    replies: visitor,
    fields: { 'New password': newPassword, 'Confirm new password': newPassword },
  },
  'an address confirmed by password': {
    files: ['features/auth/web/ConfirmByPassword.tsx'],
    pages: authPages,
    path: '/verify/?token=t',
    replies: {
      ...visitor,
      'POST /api/account/verify_email/': new ApiError(400, { password: ['x'], account_password: ['x'] }),
      'POST /api/account/verify_email/about/': {
        phone_number: '021 505 0103',
        needs_password: true,
        needs_account_password: true,
      },
    },
    fields: {
      'Password chosen for this number': currentPassword,
      'Password for your existing account': currentPassword,
    },
  },
  'the SIM pack': {
    files: ['features/activation/web/sim.page.tsx'],
    pages: activationPages,
    path: '/activate/',
    replies: visitor,
    fields: {
      'Phone Number on the SIM pack': { type: 'tel', autocomplete: 'off' },
      'Last 4 digits of the SIM Number': { autocomplete: 'off', inputmode: 'numeric' },
      'Would you like to Transfer (Port) your Existing Phone Number?': group,
    },
  },
  'a number brought along, from prepay': {
    files: ['features/porting/web/PortingForm.tsx'],
    pages: activationPages,
    path: '/activate/porting/',
    replies: at('PORTING_ENTERED'),
    more: () => choose('Prepay'),
    fields: { ...porting, 'Existing Prepay SIM Number': { autocomplete: 'off', inputmode: 'numeric' } },
  },
  'a number brought to a service, from an account': {
    files: ['features/porting/web/PortingForm.tsx'],
    pages: portingPages,
    path: `/services/${uuid}/port/`,
    replies: providers,
    more: () => choose('Account'),
    fields: { ...porting, 'Existing Account Number': code },
  },
  'personal details': {
    files: ['features/activation/web/signup.page.tsx'],
    pages: activationPages,
    path: '/activate/signup/',
    replies: at('CREATED'),
    fields: {
      'Full name': { autocomplete: 'name' },
      Email: email,
      'New password': newPassword,
      'I agree that Fantail Mobile may email me about its plans and offers.': { type: 'checkbox' },
    },
  },
  'how a plan is paid': {
    files: ['features/activation/web/method.page.tsx', 'features/vouchers/web/VoucherCodeField.tsx'],
    pages: activationPages,
    path: '/activate/method/',
    replies: at('DETAILS_ENTERED'),
    more: () => choose('I have an email with a Voucher Code'),
    fields: { 'How would you like to get your Prepay Plan?': group, 'Voucher Code': code },
  },
  'the plan': {
    files: [],
    pages: activationPages,
    path: '/activate/plans/',
    replies: at('METHOD_ENTERED'),
    fields: { 'Plan length': { type: 'range', required: false }, 'Prepay Plan': group },
  },
  'the checkout': {
    files: ['features/orders/web/SaveCard.tsx', 'features/orders/web/use-new-card.tsx', 'kit/web/card/CardFields.tsx'],
    pages: activationPages,
    path: '/activate/checkout/',
    replies: { ...visitor, 'GET /api/activate/': toPay() },
    fields: { ...card, ...saving },
  },
  'another code': {
    files: ['features/vouchers/web/CorrectCodeForm.tsx'],
    pages: voucherPages,
    path: '/use-voucher/NONE/',
    replies: visitor,
    fields: { 'Voucher Code': code },
  },
  'contact details': {
    files: ['features/account/web/contact-details.page.tsx', 'features/account/web/PhoneField.tsx'],
    pages: accountPages,
    path: '/account/contact-details/',
    replies: { 'GET /api/services/': twoServices },
    fields: {
      Email: { ...email, required: false, readonly: true },
      'First name': { autocomplete: 'given-name' },
      'Last name': { autocomplete: 'family-name', required: false },
      Phone: { autocomplete: 'tel' },
    },
  },
  'contact details, the password asked again': {
    files: ['features/account/web/PasswordConfirmation.tsx'],
    pages: accountPages,
    path: '/account/contact-details/',
    replies: {
      'GET /api/services/': twoServices,
      'POST /api/account/update_details/': new ApiError(400, { password: ['Please enter your current password.'] }),
    },
    more: () => press('SAVE'),
    fields: {
      Email: { ...email, required: false, readonly: true },
      'First name': { autocomplete: 'given-name' },
      'Last name': { autocomplete: 'family-name', required: false },
      Phone: { autocomplete: 'tel' },
      'Current password': currentPassword,
    },
  },
  'a changed password': {
    files: ['features/account/web/change-password.page.tsx'],
    pages: accountPages,
    path: '/account/change-password/',
    fields: {
      'Current password': currentPassword,
      'New password': newPassword,
      'Confirm new password': newPassword,
    },
  },
  'a new address': {
    files: ['features/change-email/web/NewEmailStep.tsx'],
    pages: changeEmailPages,
    path: '/account/contact-details/change-email/',
    replies: changing('CREATED'),
    fields: { 'New email address': email },
  },
  'a one-time PIN': {
    files: ['features/change-email/web/PinStep.tsx'],
    pages: changeEmailPages,
    path: '/account/contact-details/change-email/',
    replies: changing('REQUESTED'),
    fields: { 'One-Time PIN': { autocomplete: 'one-time-code', inputmode: 'numeric', enterkeyhint: 'done' } },
  },
  'a new card': {
    files: ['features/payment-method/web/NewCardForm.tsx'],
    pages: paymentMethodPages,
    path: '/account/payment-method/',
    replies: { 'GET /api/account/': signedInAccount() },
    more: () => press('ADD CREDIT CARD'),
    fields: card,
  },
  'an add-on': {
    files: [],
    pages: addOnPages,
    path: `/services/${uuid}/addons/`,
    fields: { 'Add-On': group },
  },
  'an add-on’s payment': {
    files: ['features/orders/web/CardChooser.tsx'],
    pages: addOnPages,
    path: `/services/${uuid}/addons/?product=extra-2gb&step=payment`,
    replies: repliesWithoutCard,
    fields: { ...card, ...saving },
  },
  'a renewal': {
    files: [],
    pages: renewalPages,
    path: `/services/renew/${shortId}/plan/`,
    replies: { ...repliesWithoutCard, ...stillRuns },
    fields: { 'Which plan?': group, 'When should it start?': group, ...card, ...saving },
  },
  'a renewal with another plan': {
    files: [],
    pages: renewalPages,
    path: `/services/renew/${shortId}/plan/`,
    replies: { ...repliesWithoutCard, ...stillRuns },
    more: () => choose('Choose another plan'),
    fields: {
      'Which plan?': group,
      'Plan length': { type: 'range', required: false },
      'Prepay Plan': group,
      'When should it start?': group,
      ...card,
      ...saving,
    },
  },
  'a renewal by voucher': {
    files: ['features/renewal/web/VoucherRenewal.tsx'],
    pages: renewalPages,
    path: `/services/renew/${shortId}/voucher/`,
    replies: stillRuns,
    fields: { 'Voucher Code': code, 'When should it start?': group },
  },
  alerts: {
    files: ['features/alerts/web/AlertSwitches.tsx'],
    pages: alertPages,
    path: `/services/${uuid}/alerts/`,
    replies: { [`GET /api/services/alerts/${uuid}/`]: someAlerts },
    fields: {
      '50% used': aSwitch,
      '80% used': aSwitch,
      'How we alert you at 80% used': { autocomplete: 'off' },
      '100% used': aSwitch,
      'How we alert you at 100% used': { autocomplete: 'off' },
      'Before my plan ends': aSwitch,
    },
  },
  'the name of a number': {
    files: ['features/services/web/NameForm.tsx'],
    pages: numberPages,
    path: `/services/${uuid}/number/`,
    fields: { 'Name for this number': { autocomplete: 'off', required: false } },
  },
  'the password for a PUK': {
    files: ['features/services/web/Puk.tsx'],
    pages: numberPages,
    path: `/services/${uuid}/number/`,
    form: 'main form:has([type="password"])',
    more: () => press('Show PUK'),
    fields: { 'Current password': currentPassword },
  },
  'a download of one’s data': {
    files: ['features/privacy/web/DownloadDialog.tsx'],
    pages: privacyPages,
    path: '/account/privacy/',
    replies: {
      'GET /api/account/privacy/erasure/': noErasure,
      'GET /api/account/privacy/marketing/': { agreed: true, words: 'I agree.' },
    },
    more: () => press('Download my data'),
    fields: { 'Which format would you like?': group, 'Current password': currentPassword },
  },
  'an erasure': {
    files: ['features/privacy/web/EraseForm.tsx'],
    pages: privacyPages,
    path: '/account/privacy/erase/',
    replies: { 'GET /api/account/privacy/erasure/': noErasure },
    fields: { 'Current password': currentPassword },
  },
}

const told = ['autocomplete', 'inputmode', 'autocapitalize', 'spellcheck', 'enterkeyhint'] as const

function toldBy(field: Element): Told {
  const isGroup = field.getAttribute('role') === 'radiogroup'
  const type = isGroup ? 'group' : field.tagName === 'SELECT' ? null : field.getAttribute('type')
  return {
    ...(type && type !== 'text' && { type }),
    ...Object.fromEntries(told.flatMap((name) => (field.hasAttribute(name) ? [[name, field.getAttribute(name)]] : []))),
    ...(field.getAttribute('aria-required') !== 'true' && { required: false as const }),
    ...(field.hasAttribute('readonly') && { readonly: true as const }),
  }
}

const nameOf = (field: Element): string =>
  (
    field.getAttribute('aria-label') ??
    (field as HTMLInputElement).labels?.[0]?.textContent ??
    field.querySelector('legend')?.textContent ??
    ''
  ).replace(/^\d(?=[A-Z])/, '')

const fieldsIn = (form: Element): Record<string, Told> =>
  Object.fromEntries(
    [...form.querySelectorAll('input:not([type=radio], [hidden]), select, textarea, [role=radiogroup]')].map(
      (field) => [nameOf(field), toldBy(field)],
    ),
  )

beforeEach(() => sessionStorage.clear())

test.each(Object.entries(forms))(
  'the fields of %s have the expected input attributes',
  async (_, { pages, path, replies, market, form = 'main form', more, fields }) => {
    const answers = { [`GET /api/account/usage_summary/${uuid}/`]: new ApiError(424, {}), ...replies }
    await openAsCustomer(pages, path, answers, market)
    await more?.()
    await expect.poll(() => document.querySelector(form)).not.toBeNull()
    await expect.poll(() => fieldsIn(document.querySelector(form)!)).toEqual(fields)

    for (const field of document.querySelectorAll(`${form} :is([aria-required], [aria-invalid])`)) {
      expect(
        document.getElementById(field.getAttribute('aria-describedby') ?? ''),
        `the note of ${nameOf(field)}`,
      ).not.toBeNull()
    }
  },
)

test('the form for a new password contains the account’s email address for password managers', async () => {
  await openAsCustomer(accountPages, '/account/change-password/')
  const owner = await screen.findByDisplayValue('ana@example.nz')
  expect([owner.getAttribute('autocomplete'), owner.hidden]).toEqual(['username', true])
})

const root = join(import.meta.dirname, '../..')
const fieldTags =
  /<(?:(?:Text|Email|Password|Select|Checkbox|Choice|VoucherCode|Phone)Field|PinInput|CardFields)\b|\binputs\(/

test('this test’s list of forms covers every form in the portal', () => {
  const sources = globSync(['features/*/web/**/*.tsx', 'kit/web/card/*.tsx'], { cwd: root }).filter(
    (file) => !/\.test\.|styleguide/.test(file),
  )
  const withFields = sources.filter((file) => fieldTags.test(readFileSync(join(root, file), 'utf8')))
  expect(withFields.toSorted()).toEqual([...new Set(Object.values(forms).flatMap(({ files }) => files))].toSorted())
})
