import * as v from 'valibot'
import { endpoint } from '#kit/contract/endpoint.ts'
import { parseMobile, phoneMaxLength } from '#kit/contract/phone.ts'
import { issueOf, optionalText, requiredText } from '#kit/contract/schema.ts'

export const portingMessages = {
  choice:
    'Please choose whether you would like to Transfer (Port) your Existing Phone Number or use the Phone Number on the SIM pack.',
  number: 'Please enter a valid mobile Phone Number.',
  ownNumber: 'This is the Phone Number on the SIM pack. Please enter the Existing Phone Number you want to bring.',
  provider: 'Please choose your current provider from the list.',
  billingMethod:
    'You must provide an Existing Prepay SIM Number or an Existing Account Number to Transfer (Port) the Phone Number you want to bring.',
  sim: 'Please provide an Existing Prepay SIM Number to Transfer (Port) the Number you want to bring.',
  simLength: 'Please enter a valid Prepay SIM Number between 16 and 20 digits.',
  account: 'Please provide an Existing Account Number to Transfer (Port) the Phone Number you want to bring.',
  accountLength: 'Please enter a valid Existing Account Number up to 20 digits.',
} as const

/** What the phone field lets through, character by character. */
export const phoneCharacters = /[\d+ ()-]/

export const billingMethods = { prepay: 1, account: 2 } as const
export type BillingMethod = keyof typeof billingMethods

/** 1, 2, prepay and account all mean what they say; anything else is no choice. */
const billingMethod = v.pipe(
  v.optional(v.unknown(), null),
  v.picklist(['prepay', 'account', '1', '2', 1, 2], portingMessages.billingMethod),
  v.transform((value): BillingMethod =>
    value === 'prepay' || Number(value) === billingMethods.prepay ? 'prepay' : 'account',
  ),
)

const onlyPhoneCharacters = /^[\d+ ()-]*$/
const isMobile = (value: string): boolean =>
  typeof parseMobile(value, 'NZ') !== 'string' || typeof parseMobile(value, 'AU') !== 'string'

const existingNumber = v.pipe(
  requiredText(),
  v.maxLength(phoneMaxLength, portingMessages.number),
  v.check((value) => value === '' || (onlyPhoneCharacters.test(value) && isMobile(value)), portingMessages.number),
)

/** The porting form of the wizard and of the transfer page. */
export const portingFormSchema = v.pipe(
  v.object({
    msisdn: existingNumber,
    provider: v.pipe(requiredText(), v.maxLength(100, portingMessages.provider)),
    billing_method: billingMethod,
    prepaid_sim_number: optionalText(portingMessages.simLength),
    account_number: optionalText(portingMessages.accountLength),
  }),
  v.rawCheck(({ dataset, addIssue }) => {
    if (!dataset.typed) return
    const form = dataset.value
    const fault = (field: keyof typeof form, message: string) => addIssue(issueOf(form, field, message))
    if (form.billing_method === 'prepay') {
      if (!form.prepaid_sim_number) fault('prepaid_sim_number', portingMessages.sim)
      else if (!/^\d{16,20}$/.test(form.prepaid_sim_number)) fault('prepaid_sim_number', portingMessages.simLength)
    }
    if (form.billing_method === 'account') {
      if (!form.account_number) fault('account_number', portingMessages.account)
      else if (!/^[a-z0-9]{1,20}$/i.test(form.account_number)) fault('account_number', portingMessages.accountLength)
    }
  }),
)
export type PortingForm = v.InferOutput<typeof portingFormSchema>

const donorSchema = v.object({ id: v.string(), name: v.string() })
export type Donor = v.InferOutput<typeof donorSchema>

export const listPortingProviders = endpoint({
  method: 'GET',
  path: '/api/account/porting_providers/',
  summary: 'The providers that a number can be brought from',
  output: v.object({ providers: v.array(donorSchema) }),
})
